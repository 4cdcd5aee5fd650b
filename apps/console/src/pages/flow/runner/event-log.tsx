/** Events of a session, newest first. */
import type { FlowEvent, JsonMembers } from '@flowgate/client/flow-wire';
import { Tag } from '../../../components/badge.tsx';
import { Card } from '../../../components/card.tsx';
import { Time } from '../../../components/time.tsx';
import { inWords } from '../../../format/in-words.ts';
import { FactsList } from './facts-list.tsx';
import type { SessionEvents } from './use-session-events.ts';

/** Members of every event that the page already shows. */
const known: readonly string[] = ['sessionId', 'appId', 'version', 'stateVersion'];

export type EventLogProps = SessionEvents & {
  /** The session has ended; no more events follow. */
  readonly isOver: boolean;
};

export function EventLog({ events, isLive, isOver }: EventLogProps) {
  return (
    <Card title="Events" flush actions={!isOver && <Tag>{isLive ? 'Live' : 'Paused'}</Tag>}>
      <ol aria-label="Events, newest first" className="divide-y divide-line border-t border-line">
        {events.toReversed().map((event) => (
          <li key={event.id} className="px-5 py-2.5">
            <Happened event={event} />
          </li>
        ))}
        {events.length === 0 && <li className="px-5 py-4 text-sm text-soft">No events yet.</li>}
      </ol>
    </Card>
  );
}

function Happened({ event: { type, timestamp, data, sequence } }: { readonly event: FlowEvent }) {
  const reported = reportedIn(data);
  const head = (
    <span className="inline-flex w-full flex-wrap items-baseline justify-between gap-x-3 text-sm">
      <span className="min-w-0 wrap-anywhere">
        <span className="mr-2 text-xs text-faint">{sequence}</span>
        {inWords(type)}
      </span>
      <span className="text-xs text-faint">
        <Time at={timestamp} />
      </span>
    </span>
  );
  if (Object.keys(reported).length === 0) return head;
  return (
    <details>
      <summary className="list-none">{head}</summary>
      <FactsList facts={reported} />
    </details>
  );
}

export function reportedIn(data: JsonMembers): JsonMembers {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !known.includes(name)));
}
