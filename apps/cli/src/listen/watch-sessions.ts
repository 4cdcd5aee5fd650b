/**
 * Watches the events of the caller's sessions. No stream covers all sessions, so this lists them and follows each active one over Server-Sent Events
 * (contract/events#streams).
 */

import { backOffMs } from '@flowgate/async/back-off';
import { BoundedMap } from '@flowgate/async/bounded-map';
import type { Flow, FlowEvent, Session } from '@flowgate/client';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import { CliProblem } from '../cli-problem.ts';
import { collected } from '../collected.ts';
import type { ReplayPlace } from './replay-place.ts';

export type WatchDeps = {
  readonly flow: Flow;
  /** Empty: all apps. */
  readonly appIds: readonly string[];
  readonly replay: ReplayPlace | undefined;
  /** `false`: ends after the replay. */
  readonly follows: boolean;
  readonly pollMs: number;
  readonly signal: AbortSignal;
  /** Called once for each event, in order within a session; the next call waits for it. */
  readonly onEvent: (event: FlowEvent) => Promise<void>;
  /** Called for a temporary error; watching continues after `pauseMs`. */
  readonly onTrouble: (error: FlowgateError, pauseMs: number) => Promise<void>;
  readonly pause: (ms: number) => Promise<void>;
  /** Called when watching has started: later events are reported. */
  readonly onReady: () => Promise<void>;
};

/** The gateway allows 20 streams per user. */
const maxStreams = 8;
/** Sessions beyond this number are found again in the list of active ones. */
const maxKnown = 10_000;
const maxListed = 1_000;
const maxReplayed = 10_000;
/** All active sessions are listed once in this many polls of the newest sessions. */
const looksForAll = 15;
const failing = { firstMs: 1_000, maxMs: 30_000 };

type Known = {
  /** Sequence of the last event that was reported or skipped. */
  last: number;
  /** Events up to this state version precede the watch. */
  readonly before: number;
  seen: string;
  isFollowed: boolean;
};

/** Resolves after a replay without following. Throws permanent refusals of the gateway, and the signal's reason. */
export async function watchSessions(deps: WatchDeps): Promise<void> {
  const { flow, appIds, signal, follows, replay } = deps;
  const known = new BoundedMap<string, Known>(maxKnown);
  let streams = 0;
  let delivery: Promise<void> = Promise.resolve();
  let ended: { readonly error: unknown } | undefined;

  /** Reports one event at a time, over all sessions. */
  function report(event: FlowEvent): Promise<void> {
    delivery = delivery.then(() => deps.onEvent(event));
    return delivery;
  }

  async function take(state: Known, event: FlowEvent): Promise<void> {
    if (event.sequence <= state.last) return;
    state.last = event.sequence;
    if ((event.data.stateVersion ?? Number.POSITIVE_INFINITY) > state.before) await report(event);
  }

  async function drain(sessionId: string, state: Known): Promise<void> {
    for (;;) {
      const { data, nextCursor } = await flow.sessions.events(sessionId, { after: state.last, limit: 100, signal });
      for (const event of data) await take(state, event);
      if (data.length === 0 || nextCursor === undefined || data.length < 100) return;
    }
  }

  /** Ends with the session. The next poll reads the events that a broken stream missed. */
  async function stream(sessionId: string, state: Known): Promise<void> {
    streams += 1;
    state.isFollowed = true;
    try {
      for await (const event of flow.follow(sessionId, { after: state.last, signal })) await take(state, event);
    } catch (error) {
      if (!signal.aborted && !(error instanceof FlowgateError)) ended = { error };
    } finally {
      streams -= 1;
      state.isFollowed = false;
      state.seen = '';
    }
  }

  async function look(session: Session, before: number): Promise<void> {
    const { sessionId, stateVersion, status } = session;
    const seen = `${stateVersion} ${status}`;
    let state = known.get(sessionId);
    if (state === undefined) {
      state = { last: 0, before, seen: before === stateVersion ? seen : '', isFollowed: false };
      known.set(sessionId, state);
    }
    if (state.isFollowed || !follows) return;
    if (status === 'active' && streams < maxStreams) void stream(sessionId, state);
    else if (state.seen !== seen) await drain(sessionId, state);
    state.seen = seen;
  }

  const filters = appIds.length === 0 ? [{}] : appIds.map((appId) => ({ appId }));
  const newest = async () =>
    (await Promise.all(filters.map((filter) => flow.sessions.page({ filter, limit: 100, signal })))).flatMap(
      ({ data }) => data,
    );
  const active = async () =>
    (
      await Promise.all(
        filters.map((filter) =>
          collected(flow.sessions.list({ filter: { ...filter, status: 'active' }, limit: 100, signal }), maxListed),
        ),
      )
    ).flat();

  async function begin(): Promise<void> {
    const there = [...(await newest()), ...(await active())];
    if (replay !== undefined) await replayBefore(replay);
    for (const session of there) await look(session, session.stateVersion);
  }

  /** Replays past events in order over all sessions; new events of a session follow. */
  async function replayBefore({ sinceMs, includes, firstId }: ReplayPlace): Promise<void> {
    const found: { readonly event: FlowEvent; readonly atMs: number }[] = [];
    let isThere = firstId === undefined;
    for (const filter of filters) {
      for (const { sessionId, updatedAt } of await collected(
        flow.sessions.list({ filter, limit: 100, signal }),
        maxListed,
      )) {
        if (Date.parse(updatedAt) < sinceMs) continue;
        const state: Known = { last: 0, before: 0, seen: '', isFollowed: false };
        const events: FlowEvent[] = [];
        for (let isWhole = false; !isWhole && found.length + events.length < maxReplayed; ) {
          const { data } = await flow.sessions.events(sessionId, { after: state.last, limit: 100, signal });
          events.push(...data.filter(includes));
          state.last = data.at(-1)?.sequence ?? state.last;
          isWhole = data.length < 100;
        }
        known.set(sessionId, state);
        const first = events.findIndex(({ id }) => id === firstId);
        isThere ||= first >= 0;
        let atMs = 0;
        for (const event of events.slice(Math.max(first, 0))) {
          // A clock that was set back must not change the order within a session.
          atMs = Math.max(atMs, Date.parse(event.timestamp));
          found.push({ event, atMs });
        }
      }
    }
    if (!isThere) throw new CliProblem('refused', `no event ${firstId} is in your newest sessions`);
    for (const { event } of found.toSorted((a, b) => a.atMs - b.atMs)) await report(event);
  }

  await begin();
  await deps.onReady();
  for (let looks = 1, failures = 0; follows; looks++) {
    await deps.pause(deps.pollMs);
    try {
      for (const session of await newest()) await look(session, 0);
      if (looks % looksForAll === 0) for (const session of await active()) await look(session, session.stateVersion);
      failures = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FlowgateError) || !mayPass(error)) throw error;
      failures += 1;
      const pauseMs = Math.max((error.retryAfter ?? 0) * 1_000, backOffMs(failing, failures));
      await deps.onTrouble(error, pauseMs);
      await deps.pause(pauseMs);
    }
    if (ended !== undefined) throw ended.error;
  }
}

function mayPass({ kind, status }: FlowgateError): boolean {
  return kind === 'no-answer' || kind === 'unreadable' || status === 429 || status >= 500;
}
