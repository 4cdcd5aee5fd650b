/** Pages of a session's events, oldest first. `after` is a sequence; `nextCursor` is the last sequence of the page when there are more (contract/events). */

import { ok, type Result, refused } from '@flowgate/base/result';
import type { EventStore } from './event-store.ts';
import { parsePlace } from './event-stream.ts';
import { type FlowEventPage, flowEventView } from './event-wire.ts';

export type EventPageRequest = { readonly after: number; readonly limit: number };

const defaultLimit = 20;
const maxLimit = 100;

/** Parses `?after=` and `?limit=`, each at most once. */
export function parseEventPage(query: URLSearchParams): Result<EventPageRequest, 'bad-request'> {
  const [limits, places] = [query.getAll('limit'), query.getAll('after')];
  if (limits.length > 1) return refused('bad-request', 'limit must be given once');
  if (places.length > 1) return refused('bad-request', 'after must be given once');
  const [limit = String(defaultLimit)] = limits;
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > maxLimit)
    return refused('bad-request', `limit must be a whole number from 1 to ${maxLimit}`);
  const after = parsePlace(places[0] ?? '0', 'after');
  return after.ok ? ok({ after: after.value, limit: Number(limit) }) : after;
}

/** The caller has checked whose session it is. Throws `Unavailable`. */
export async function listEvents(
  events: Pick<EventStore, 'eventsAfter'>,
  sessionId: string,
  { after, limit }: EventPageRequest,
): Promise<FlowEventPage> {
  const { events: page, hasMore } = await events.eventsAfter(sessionId, after, limit);
  const last = page.at(-1);
  const data = page.map(flowEventView);
  return hasMore && last !== undefined ? { data, nextCursor: String(last.sequence) } : { data };
}
