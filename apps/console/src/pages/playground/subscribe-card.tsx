/** Live heads and events. */

import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Radio, Square } from '../../components/icons.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { wholeNumber } from '../../format/whole-number.ts';
import { JsonField } from './json-field.tsx';
import { JsonTree } from './json-tree.tsx';
import type { LiveFeed } from './use-live-feed.ts';

export type SubscribeCardProps = {
  readonly feed: LiveFeed;
  readonly onStart: (params: readonly unknown[]) => void;
};

type Choice = { readonly kind: string; readonly filter: unknown };
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

const first: Choice = { kind: 'newHeads', filter: {} };

const kinds = [
  ['newHeads', 'newHeads: the header of each new block'],
  ['logs', 'logs: contract events'],
] as const;

export function SubscribeCard({ feed, onStart }: SubscribeCardProps) {
  const [{ kind, filter }, setChoice] = useDraft<Choice>('playground-subscription', first);
  const [problem, setProblem] = useState<string>();
  const { kind: state, events, total, gaps, error } = feed;
  const isRunning = state !== 'idle';
  return (
    <Card
      title="Subscribe"
      lead="Over a WebSocket, in order and without gaps while connected."
      actions={state === 'live' && <Badge tone="good">Live</Badge>}
    >
      <div className="flex flex-col gap-4">
        <Field label="Event type">
          {(control) => (
            <Select
              {...control}
              disabled={isRunning}
              value={kind}
              onChange={({ target }) => setChoice({ kind: target.value, filter })}
            >
              {kinds.map(([id, title]) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {kind === 'logs' && (
          <JsonField
            label="Filter"
            hint="address: one or a list. topics: null, one or a list of alternatives per position. {} matches every event."
            rows={3}
            value={filter}
            onChange={(next) => setChoice({ kind, filter: next })}
            onProblem={setProblem}
          />
        )}
        <div className="flex flex-wrap items-center gap-3">
          {isRunning ? (
            <Button onClick={feed.stop}>
              <Square aria-hidden="true" className="size-4" />
              Stop
            </Button>
          ) : (
            <Button
              tone="primary"
              disabled={problem !== undefined}
              onClick={() => onStart(kind === 'logs' ? ['logs', filter] : ['newHeads'])}
            >
              <Radio aria-hidden="true" className="size-4" />
              Start
            </Button>
          )}
          <p role="status" className="text-sm text-soft">
            {state === 'starting' && 'Connecting…'}
            {state === 'live' && (total === 0 ? 'Waiting for the first event.' : `${wholeNumber(total)} received.`)}
            {state === 'idle' && total > 0 && `Stopped after ${wholeNumber(total)}.`}
            {gaps > 0 && ` Reconnected ${gaps === 1 ? 'once' : `${gaps} times`}. Events in between are missing.`}
          </p>
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        {events.length > 0 && (
          <ul aria-label="Notifications, newest first" className="divide-y divide-line rounded-lg border border-line">
            {events.map(({ id, at, value }) => (
              <li key={id} className="flex items-start gap-4 px-4 py-1.5">
                <div className="min-w-0 flex-1">
                  <JsonTree label={`Number ${id}`} name={summaryOf(value)} value={value} />
                </div>
                <time dateTime={at} className="py-1.5 text-xs whitespace-nowrap text-faint">
                  {clock.format(new Date(at))}
                </time>
              </li>
            ))}
          </ul>
        )}
        {total > events.length && <p className="text-xs text-faint">The newest {events.length} are shown.</p>}
      </div>
    </Card>
  );
}

/** `block 21` */
function summaryOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'notification';
  const { number, blockNumber } = value as { number?: unknown; blockNumber?: unknown };
  const height = number ?? blockNumber;
  if (typeof height !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(height)) return 'notification';
  return `${number === undefined ? 'event in block' : 'block'} ${wholeNumber(Number(height))}`;
}
