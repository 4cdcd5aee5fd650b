/** Follows a session over Server-Sent Events: each event once and in order, also over lost connections (contract/events#streams). */

import { routePath } from './ask.ts';
import { pause } from './deadline.ts';
import { readEvents } from './event-stream.ts';
import { eventsRoute, type FlowSessions } from './flow-sessions.ts';
import { FlowgateError, noAnswerFacts } from './flowgate-error.ts';
import { flowEvent } from './generated/shapes.ts';
import { unreadable } from './read-answer.ts';
import { mayPass, retryDelayMs } from './retry-delay.ts';
import { hasShape } from './shape.ts';
import type { Open } from './transport.ts';
import type { FlowEvent } from './wire.ts';

export type FollowOptions = {
  /** Sequence of the last known event; default 0: from the first event. */
  readonly after?: number | undefined;
  /** Ends the loop, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How many connections in a row may fail without an event before the loop throws. Default 10. */
  readonly retries?: number | undefined;
  /** In milliseconds. A connection without data for this time counts as broken; the gateway sends keep-alive comments more often. Default 60,000. */
  readonly silenceMs?: number | undefined;
};

/** The gateway sends no event after one of these. */
const lastTypes: readonly string[] = ['session_completed', 'session_cancelled', 'session_expired', 'session_failed'];

type Asking = Pick<FlowSessions, 'get' | 'events'>;

export function createFollow(open: Open, sessions: Asking) {
  return async function* follow(sessionId: string, options: FollowOptions = {}): AsyncGenerator<FlowEvent> {
    const { after = 0, signal = new AbortController().signal, retries = 10, silenceMs = 60_000 } = options;
    let last = after;
    for (let failures = 0; ; ) {
      try {
        for await (const event of connection(open, sessionId, last, silenceMs, signal)) {
          if (event.sequence <= last) continue;
          failures = 0;
          last = event.sequence;
          yield event;
          if (lastTypes.includes(event.type)) return;
        }
        // Closed normally: the session has ended, or the gateway is stopping.
        if ((await sessions.get(sessionId, { signal })).status !== 'active') {
          yield* remaining(sessions, sessionId, last, signal);
          return;
        }
        failures += 1;
        if (failures > retries) throw broken('The event stream ended repeatedly without an event.');
        await pause(retryDelayMs(broken(''), failures, Math.random), signal);
      } catch (error) {
        signal.throwIfAborted();
        failures += 1;
        if (!(error instanceof FlowgateError) || !mayPass(error) || failures > retries) throw error;
        await pause(retryDelayMs(error, failures, Math.random), signal);
      }
    }
  };
}

/** The events of one connection. Throws `FlowgateError` of kind `no-answer` when the connection breaks or is silent for too long. */
async function* connection(
  open: Open,
  sessionId: string,
  after: number,
  silenceMs: number,
  outer: AbortSignal,
): AsyncGenerator<FlowEvent> {
  outer.throwIfAborted();
  const controller = new AbortController();
  const end = () => controller.abort(outer.reason);
  outer.addEventListener('abort', end, { once: true });
  let isOpen = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(broken(`No data arrived for ${silenceMs} ms.`)), silenceMs);
  };
  try {
    alive();
    const call = { path: routePath(eventsRoute, [sessionId]), headers: { 'Last-Event-ID': String(after) } };
    const { response, facts } = await open(call, controller.signal);
    isOpen = true;
    if (response.status === 204) return;
    if (response.body === null || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      throw unreadable(facts);
    }
    for await (const { data } of readEvents(response.body, alive)) {
      const event = parsed(data);
      if (!hasShape(event, flowEvent)) throw unreadable(facts);
      // The loop's body may take long: silence only counts while the loop waits for an event.
      clearTimeout(timer);
      yield event;
      alive();
    }
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    // Before the stream was open, the error comes from the caller's function.
    throw error instanceof FlowgateError || !isOpen ? error : broken('The event stream broke off.', error);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
    controller.abort();
  }
}

/** The events after `last` of a session that has ended. */
async function* remaining(
  sessions: Asking,
  sessionId: string,
  last: number,
  signal: AbortSignal,
): AsyncGenerator<FlowEvent> {
  for (let after = last; ; ) {
    const { data, nextCursor } = await sessions.events(sessionId, { after, signal });
    for (const event of data) if (event.sequence > after) yield event;
    const next = data.at(-1)?.sequence;
    if (next === undefined || nextCursor === undefined || next <= after) return;
    after = next;
  }
}

function broken(message: string, cause?: unknown): FlowgateError {
  return new FlowgateError(message, { kind: 'no-answer' }, noAnswerFacts, { cause });
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
