/** Who wants to know that something happened in a session: told by whoever committed it, here or on another node, and by looking every now and then. */

import type { PubSub } from '../../platform/coordination/pub-sub.ts';
import type { Log } from '../../platform/log.ts';
import type { EventStore } from './event-store.ts';
import type { FlowEventRecord } from './flow-event.ts';

/** Called after a commit, on the node that made it. Never throws, never waits. */
export type SessionChanged = (sessionId: string) => void;

/** Gets events in order, each once; whether it wants more. After `false` it gets none until it asks again. Never throws. */
export type TakeEvents = (events: readonly FlowEventRecord[]) => boolean;

export type Following = {
  /** It wants more again. */
  readonly resume: () => void;
  readonly stop: () => void;
};

export type SessionWatch = {
  /** For this node's own commits: tells its followers, and the other nodes. */
  readonly changed: SessionChanged;
  /** Every event of the session above the sequence `after`: those that are there, and those that come. */
  readonly follow: (sessionId: string, after: number, take: TakeEvents) => Following;
  /** Begins to listen to other nodes and to look; the result ends both. */
  readonly start: () => () => void;
  /** Looks at everything that is followed now; resolves when that is done. Never rejects. */
  readonly poll: () => Promise<void>;
};

export type SessionWatchParts = {
  readonly events: Pick<EventStore, 'eventsAfter' | 'lastSequences'>;
  /** Absent without a bus. */
  readonly pubSub?: PubSub | undefined;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Milliseconds between two looks: the bound of what lost news can cost. */
  readonly pollMs: number;
  /** Milliseconds from a look that failed to the next one: what a storage that was away for a moment costs; 500 unless told. */
  readonly retryMs?: number;
};

export const sessionTopic = 'flow-session';
/** Events of one read; more are read in turn. */
const pageSize = 100;

type Follower = { cursor: number; wants: boolean; readonly take: TakeEvents };
type Channel = { readonly followers: Set<Follower>; looking: boolean; again: boolean };

/** Whatever wakes it, events come out of the store after each follower's own place: nothing can be lost or come twice. */
export function createSessionWatch(parts: SessionWatchParts): SessionWatch {
  const { events, pubSub, log, pollMs, retryMs = 500 } = parts;
  const channels = new Map<string, Channel>();
  let polling: Promise<void> | undefined;
  let failing = false;
  let running = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** One at a time for each session; a call that comes meanwhile makes it look once more. */
  async function look(sessionId: string, channel: Channel): Promise<void> {
    channel.again = true;
    if (channel.looking) return;
    channel.looking = true;
    try {
      while (channel.again) {
        channel.again = false;
        const after = placeOf(channel);
        if (after === undefined) break;
        const { events: found, hasMore } = await events.eventsAfter(sessionId, after, pageSize);
        if (hasMore) channel.again = true;
        for (const follower of channel.followers) hand(follower, after, found);
      }
      noteSuccess();
    } catch (error) {
      noteFailure(error);
    } finally {
      channel.looking = false;
    }
  }

  function lookAt(sessionId: string): void {
    const channel = channels.get(sessionId);
    if (channel !== undefined) void look(sessionId, channel);
  }

  async function lookAtAll(): Promise<void> {
    const places = new Map<string, number>();
    for (const [sessionId, channel] of channels) {
      const place = placeOf(channel);
      if (place !== undefined) places.set(sessionId, place);
    }
    if (places.size === 0) return;
    try {
      const newest = await events.lastSequences([...places.keys()]);
      for (const [sessionId, place] of places) if ((newest.get(sessionId) ?? 0) > place) lookAt(sessionId);
      noteSuccess();
    } catch (error) {
      noteFailure(error);
    }
  }

  function noteSuccess(): void {
    if (failing) log.info('flow.watch-recovered');
    failing = false;
  }

  function noteFailure(error: unknown): void {
    if (!failing) log.warn('flow.watch-failed', { reason: error instanceof Error ? error.message : 'unknown' });
    failing = true;
    if (running) retry ??= setTimeout(lookAgain, retryMs).unref();
  }

  /** One look at everything for all that failed meanwhile. */
  function lookAgain(): void {
    retry = undefined;
    void poll();
  }

  const poll = (): Promise<void> => {
    polling ??= lookAtAll().finally(() => {
      polling = undefined;
    });
    return polling;
  };

  return {
    changed(sessionId) {
      lookAt(sessionId);
      pubSub?.publish(sessionTopic, { sessionId });
    },
    follow(sessionId, after, take) {
      const follower: Follower = { cursor: after, wants: true, take };
      const channel = channels.get(sessionId) ?? { followers: new Set(), looking: false, again: false };
      channels.set(sessionId, channel);
      channel.followers.add(follower);
      void look(sessionId, channel);
      return {
        resume() {
          follower.wants = true;
          void look(sessionId, channel);
        },
        stop() {
          follower.wants = false;
          channel.followers.delete(follower);
          if (channel.followers.size === 0 && channels.get(sessionId) === channel) channels.delete(sessionId);
        },
      };
    },
    poll,
    start() {
      running = true;
      const stopListening = pubSub?.subscribe(sessionTopic, (payload) => {
        const sessionId = sessionIdOf(payload);
        if (sessionId !== undefined) lookAt(sessionId);
      });
      const stopGaps = pubSub?.onGap(() => void poll());
      const timer = setInterval(() => void poll(), pollMs);
      timer.unref();
      return () => {
        running = false;
        clearInterval(timer);
        clearTimeout(retry);
        stopListening?.();
        stopGaps?.();
      };
    },
  };
}

/** Where the follower that is furthest behind stands, of those that want more. */
function placeOf({ followers }: Channel): number | undefined {
  let place: number | undefined;
  for (const { wants, cursor } of followers) if (wants && (place === undefined || cursor < place)) place = cursor;
  return place;
}

/** Who came while the read was under way may stand before the place that it began at: it is served by the next one. */
function hand(follower: Follower, after: number, found: readonly FlowEventRecord[]): void {
  if (!follower.wants || follower.cursor < after) return;
  const fresh = found.filter(({ sequence }) => sequence > follower.cursor);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.cursor = last.sequence;
  if (!follower.take(fresh)) follower.wants = false;
}

/** Undefined for what is no message of ours. */
function sessionIdOf(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('sessionId' in payload)) return undefined;
  return typeof payload.sessionId === 'string' ? payload.sessionId : undefined;
}
