/**
 * A follower of a session receives each event once and in order, through all its connections and gateways
 * (contract/flow-apps).
 */

import type { FlowViolation } from './flow-checker.ts';
import type { FlowHistory } from './flow-history.ts';

export function checkStreams({ streamed, audits }: FlowHistory): FlowViolation[] {
  const events = new Map(audits.map(({ session, events }) => [session.sessionId, events]));
  return [...Map.groupBy(streamed, ({ follower }) => follower)].flatMap(([follower, some]) => {
    const problems = some.flatMap(({ id, event, via }, index) => [
      ...(Number(id) === index + 1 ? [] : [`event ${id} through ${via} where ${index + 1} belongs`]),
      ...(event.sequence === Number(id) ? [] : [`event ${event.sequence} under the id ${id}`]),
    ]);
    const reported = events.get(some[0]?.sessionId ?? '') ?? [];
    const missing = reported.length - new Set(some.map(({ id }) => id)).size;
    const other = some.filter(({ event }) => !Bun.deepEquals(event, reported[event.sequence - 1])).length;
    return [
      ...problems,
      ...(missing > 0 ? [`${missing} events never came`] : []),
      ...(other > 0 ? [`${other} events that the session does not have`] : []),
    ].map((text) => ({ rule: 'stream' as const, text: `${follower}: ${text}` }));
  });
}
