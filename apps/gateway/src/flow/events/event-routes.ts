/** The route of a session's events: pages of JSON, or a stream (contract/events). */

import { ok, type Result, refused } from '@flowgate/base/result';
import { z } from 'zod';
import { limitQuery } from '../../api/page-query.ts';
import type { CallerRequest, CallerRoute, RouteAnswer, RouteRefusal } from '../../api/route.ts';
import { sessionPath } from '../registry/registry-paths.ts';
import type { EventStore } from './event-store.ts';
import { parsePlace, prefersStream } from './event-stream.ts';
import { type FlowEventPage, flowEventPage, flowEventView } from './event-wire.ts';
import { type FollowSessionDeps, followSession, isAllSent } from './follow-session.ts';

export type EventRouteDeps = FollowSessionDeps & { readonly events: Pick<EventStore, 'eventsAfter'> };

const streamHeaders = {
  'Cache-Control': 'no-cache, no-transform',
  // Prevents proxies such as nginx from buffering the response.
  'X-Accel-Buffering': 'no',
};

export function eventRoutes(deps: EventRouteDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/flow/sessions/{sessionId}/events',
      accessLevel: 'caller',
      doc: {
        summary: "A session's events",
        description:
          'Lists events, oldest first. With `Accept: text/event-stream` they are sent as Server-Sent Events: `id` is the sequence, `event` the type, `data` the event. A stream resumes after `Last-Event-ID` (or `after`), and ends when the session is over and all events were sent. A stream with nothing left to send returns 204, so that browsers do not reconnect. A sequence above the newest event returns 400. A user may have 20 streams on a node.',
        tag: 'Flow sessions',
        path: sessionPath,
        query: [
          limitQuery(20),
          {
            name: 'after',
            description: "Only events with a sequence above this one. Pass the previous page's `nextCursor`.",
            schema: () => z.int().min(0).meta({ default: 0 }),
          },
        ],
        headers: [
          {
            name: 'Accept',
            description: '`text/event-stream` requests a stream.',
            required: false,
            schema: () => z.string().meta({ default: 'application/json' }),
          },
          {
            name: 'Last-Event-ID',
            description: 'For a stream: the sequence of the last event that the client has received.',
            required: false,
            schema: () => z.int().min(0),
          },
        ],
        responses: [
          {
            status: 200,
            description: 'A page of events, or a stream of them.',
            schema: flowEventPage,
            headers: ['Vary', 'Cache-Control', 'X-Accel-Buffering'],
            streams: true,
          },
          {
            status: 204,
            description: 'A stream was requested, but the session is over and all its events were sent.',
            headers: ['Vary', 'Cache-Control', 'X-Accel-Buffering'],
          },
        ],
        refusals: ['bad-request', 'denied', 'not-found', 'conflict', 'unavailable'],
      },
      handle: (request) => answerEvents(deps, request),
    },
  ];
}

type EventPageRequest = { readonly after: number; readonly limit: number };

const defaultLimit = 20;
const maxLimit = 100;

/**
 * Returns pages of a session's events, oldest first. `after` is a sequence; `nextCursor` is the last sequence of the page if there are more events (contract/events). Parses
 * `?after=` and `?limit=`, each at most once.
 */
function parseEventPage(query: URLSearchParams): Result<EventPageRequest, 'bad-request'> {
  const [limits, places] = [query.getAll('limit'), query.getAll('after')];
  if (limits.length > 1) return refused('bad-request', 'limit must be given once');
  if (places.length > 1) return refused('bad-request', 'after must be given once');
  const [limit = String(defaultLimit)] = limits;
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > maxLimit)
    return refused('bad-request', `limit must be a whole number from 1 to ${maxLimit}`);
  const after = parsePlace(places[0] ?? '0', 'after');
  return after.ok ? ok({ after: after.value, limit: Number(limit) }) : after;
}

/** The caller has checked to whom the session belongs. Throws `Unavailable`. */
async function listEvents(
  events: Pick<EventStore, 'eventsAfter'>,
  sessionId: string,
  { after, limit }: EventPageRequest,
): Promise<FlowEventPage> {
  const { events: page, hasMore } = await events.eventsAfter(sessionId, after, limit);
  const last = page.at(-1);
  const data = page.map(flowEventView);
  return hasMore && last !== undefined ? { data, nextCursor: String(last.sequence) } : { data };
}

async function answerEvents(deps: EventRouteDeps, request: CallerRequest): Promise<RouteAnswer> {
  const { caller, params, query, header } = request;
  const page = parseEventPage(query);
  if (!page.ok) return page;
  const isStream = prefersStream(header('accept'));
  const place = isStream ? placeOf(header('last-event-id'), page.value.after) : undefined;
  if (place?.ok === false) return place;
  const found = await deps.findSession(caller, params['sessionId'] ?? '');
  if (!found.ok) return found;
  const session = found.value;
  const vary = { Vary: 'Accept, Origin' };
  const asked = place === undefined ? page.value.after : place.value;
  if (asked > session.lastSequence) return beyondTheEnd(session.lastSequence);
  if (place === undefined)
    return { status: 200, body: await listEvents(deps.events, session.sessionId, page.value), headers: vary };
  if (isAllSent(session, place.value)) return { status: 204, headers: { ...streamHeaders, ...vary } };
  return {
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    headers: { ...streamHeaders, ...vary },
    stream: followSession(deps, caller, session, place.value),
  };
}

/**
 * A client that names an event that does not exist would miss all events before it. Browsers do not reconnect after a 400. The session's newest sequence is never behind an event
 * that a client has received.
 */
function beyondTheEnd(lastSequence: number): RouteRefusal {
  return refused('bad-request', `The session's newest event is ${lastSequence}, and the given sequence is above it.`);
}

/** A reconnecting browser repeats the original URL and sends its position in the header, so the header counts. */
function placeOf(lastEventId: string | null, after: number): Result<number, 'bad-request'> {
  return lastEventId === null ? { ok: true, value: after } : parsePlace(lastEventId, 'Last-Event-ID');
}
