/** Maintenance: which surfaces return 503, and with which message. */
import type { MaintenanceInput, MaintenanceStatus, MaintenanceSurface } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Checkbox, Field, TextArea, TextInput } from '../../components/field.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { exactTime } from '../../format/relative-time.ts';
import { upcomingMaintenanceQuery } from '../../frame/maintenance-banner.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { MaintenanceTimesFields, timesInput, timesOf } from './maintenance-times.tsx';

const key = ['admin', 'maintenance'];

export function MaintenanceTab() {
  const client = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.admin.maintenance.get({ signal }),
  });
  if (data !== undefined) return <MaintenanceForm key={JSON.stringify(data)} now={data} />;
  return error === null ? <SkeletonRows rows={3} /> : <ErrorNotice error={error} onRetry={() => void refetch()} />;
}

const surfaces: readonly (readonly [MaintenanceSurface, string])[] = [
  ['rpc', 'JSON-RPC'],
  ['rest', 'REST'],
  ['flow', 'Flow Apps'],
];

/** Scheduled but not started. */
const isUpcoming = ({ active, startsAt }: MaintenanceStatus): boolean =>
  active && startsAt !== undefined && Date.parse(startsAt) > Date.now();

function State({ of }: { readonly of: MaintenanceStatus }) {
  if (isUpcoming(of)) return <Badge tone="accent">Scheduled</Badge>;
  return of.active ? <Badge tone="warn">On</Badge> : <Badge>Off</Badge>;
}

const affected = (named: readonly string[]): string =>
  named.length === 0 ? 'All calls and routes return 503' : `These return 503: ${named.join(', ')},`;

function MaintenanceForm({ now }: { readonly now: MaintenanceStatus }) {
  const client = useGateway();
  const [message, setMessage] = useState(now.message ?? '');
  const [seconds, setSeconds] = useState(String(now.retryAfterSeconds));
  const [chosen, setChosen] = useState<readonly MaintenanceSurface[]>(now.surfaces ?? []);
  const [networks, setNetworks] = useState((now.networks ?? []).join('\n'));
  const [times, setTimes] = useState(timesOf(now));
  const [isAsking, setAsking] = useState(false);
  const save = useAction({
    run: (input: MaintenanceInput) => client.admin.maintenance.set(input),
    changes: [key, upcomingMaintenanceQuery],
    done: (after) =>
      isUpcoming(after) ? 'Maintenance scheduled' : after.active ? 'Maintenance started' : 'Maintenance ended',
    onDone: () => setAsking(false),
    showsError: true,
  });
  const named = networks
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const input = (active: boolean): MaintenanceInput => ({
    active,
    message: message.trim() === '' ? null : message,
    retryAfterSeconds: Number(seconds),
    surfaces: chosen.length === 0 ? null : chosen,
    networks: named.length === 0 ? null : named,
    ...(active && timesInput(times)),
  });
  const willBegin = times.isPlanned && times.startsAt !== '';
  return (
    <Card
      title="Maintenance"
      lead="Callers receive 503 with your message. The console, health checks and the reference remain available."
      actions={<State of={now} />}
    >
      <div className="grid max-w-2xl gap-4">
        <Field label="Message" optional hint="Shown to callers. 1 to 500 characters.">
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              maxLength={500}
              value={message}
              onChange={({ target }) => setMessage(target.value)}
            />
          )}
        </Field>
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">Affected surfaces</legend>
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {surfaces.map(([surface, label]) => (
              <Checkbox
                key={surface}
                label={label}
                checked={chosen.includes(surface)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, surface] : chosen.filter((each) => each !== surface))
                }
              />
            ))}
          </div>
          <p className="mt-1.5 text-xs text-faint">
            Select none to include everything, or only calls to the networks below.
          </p>
        </fieldset>
        <Field
          label="Networks"
          optional
          hint="One per line, such as ethereum/mainnet. Only their JSON-RPC calls are refused."
        >
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              className="font-mono"
              value={networks}
              onChange={({ target }) => setNetworks(target.value)}
            />
          )}
        </Field>
        <Field label="Retry after, in seconds" className="max-w-64">
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              value={seconds}
              onChange={({ target }) => setSeconds(target.value)}
            />
          )}
        </Field>
        <MaintenanceTimesFields times={times} onChange={setTimes} />
        {save.error !== undefined && <ErrorNotice error={save.error} />}
        <div className="flex flex-wrap gap-2">
          {now.active ? (
            <>
              <Button tone="primary" busy={save.busy} onClick={() => save.run(input(false))}>
                {isUpcoming(now) ? 'Cancel schedule' : 'End maintenance'}
              </Button>
              <Button busy={save.busy} onClick={() => save.run(input(true))}>
                Save
              </Button>
            </>
          ) : (
            <Button tone="danger" onClick={() => setAsking(true)}>
              {willBegin ? 'Schedule maintenance…' : 'Start maintenance…'}
            </Button>
          )}
        </div>
      </div>
      {isAsking && (
        <Confirm
          title={willBegin ? 'Schedule maintenance?' : 'Start maintenance?'}
          action={willBegin ? 'Schedule' : 'Start'}
          busy={save.busy}
          onConfirm={() => save.run(input(true))}
          onClose={() => setAsking(false)}
        >
          {`${affected([...surfaces.filter(([surface]) => chosen.includes(surface)).map(([, label]) => label), ...named])} ${
            willBegin ? `from ${exactTime(new Date(times.startsAt))}` : 'starting now'
          } ${times.isPlanned && times.endsAt !== '' ? `until ${exactTime(new Date(times.endsAt))}` : 'until you end it'}.`}
          {save.error !== undefined && (
            <div className="mt-3">
              <ErrorNotice error={save.error} />
            </div>
          )}
        </Confirm>
      )}
    </Card>
  );
}
