/** Maintenance: what is refused with 503, and with which words. */
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
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';

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

function MaintenanceForm({ now }: { readonly now: MaintenanceStatus }) {
  const client = useGateway();
  const [message, setMessage] = useState(now.message ?? '');
  const [seconds, setSeconds] = useState(String(now.retryAfterSeconds));
  const [chosen, setChosen] = useState<readonly MaintenanceSurface[]>(now.surfaces ?? []);
  const [networks, setNetworks] = useState((now.networks ?? []).join('\n'));
  const [isAsking, setAsking] = useState(false);
  const save = useAction({
    run: (input: MaintenanceInput) => client.admin.maintenance.set(input),
    changes: [key],
    done: ({ active }) => (active ? 'Maintenance is on' : 'Maintenance is off'),
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
  });
  return (
    <Card
      title="Maintenance"
      lead="What is named is refused with 503 and your message. This page, health and the reference never are."
      actions={now.active ? <Badge tone="warn">On</Badge> : <Badge>Off</Badge>}
    >
      <div className="grid max-w-2xl gap-4">
        <Field label="Message" optional hint="Told to callers, 1 to 500 characters.">
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
          <legend className="mb-1.5 text-sm font-medium">What is refused</legend>
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
          <p className="mt-1.5 text-xs text-faint">None: everything, or the calls of the networks below.</p>
        </fieldset>
        <Field label="Networks" optional hint="One a line, such as ethereum/mainnet; narrows JSON-RPC to their calls.">
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
        <Field label="Seconds after which callers try again" className="max-w-64">
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              value={seconds}
              onChange={({ target }) => setSeconds(target.value)}
            />
          )}
        </Field>
        {save.error !== undefined && <ErrorNotice error={save.error} />}
        <div className="flex flex-wrap gap-2">
          {now.active ? (
            <>
              <Button tone="primary" busy={save.busy} onClick={() => save.run(input(false))}>
                End maintenance
              </Button>
              <Button busy={save.busy} onClick={() => save.run(input(true))}>
                Save
              </Button>
            </>
          ) : (
            <Button tone="danger" onClick={() => setAsking(true)}>
              Begin maintenance …
            </Button>
          )}
        </div>
      </div>
      {isAsking && (
        <Confirm
          title="Begin maintenance?"
          action="Begin"
          busy={save.busy}
          onConfirm={() => save.run(input(true))}
          onClose={() => setAsking(false)}
        >
          {chosen.length === 0 && named.length === 0
            ? 'Every call and route is refused with 503 until you end it.'
            : `Refused with 503 until you end it: ${[
                ...surfaces.filter(([surface]) => chosen.includes(surface)).map(([, label]) => label),
                ...named,
              ].join(', ')}.`}
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
