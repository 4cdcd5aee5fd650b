/** Notifies followers of sessions about new events: by commits on this node, by messages from other nodes, and by polling. */

import type { PubSub } from '@flowgate/async/pub-sub';
import { singleFlight } from '@flowgate/async/single-flight';
import { messageOf } from '@flowgate/base/text';
import { member } from '@flowgate/json/json-object';
import type { Log } from '@flowgate/telemetry/log';
import type { EventStore } from './event-store.ts';
import type { FlowEventRecord } from './flow-event.ts';

/** Called after a commit on the node that made it. Never throws and never waits. */
export type SessionChanged = (sessionId: string) => void;

/** Receives events in order, each once. Returns whether it wants more; after `false` it gets none until `resume`. Never throws. */
export type TakeEvents = (events: readonly FlowEventRecord[]) => boolean;

export type Following = {
  /** The follower wants more events again. */
  readonly resume: () => void;
  readonly stop: () => void;
};

export type SessionWatch = {
  /** Notifies followers on this node and other nodes about a commit of this node. */
  readonly changed: SessionChanged;
  /** Delivers every event of the session with a sequence above `after`, present and future. */
  readonly follow: (sessionId: string, after: number, take: TakeEvents) => Following;
  /** Starts to listen to other nodes and to poll. The returned function stops both. */
  readonly start: () => () => void;
  /** Checks all followed sessions now, and resolves when that is done. Never rejects. */
  readonly poll: () => Promise<void>;
};

export type SessionWatchDeps = {
  readonly events: Pick<EventStore, 'eventsAfter' | 'lastSequences'>;
  /** Absent without Redis. */
  readonly pubSub?: PubSub | undefined;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Milliseconds between two polls: the maximum delay when a message between nodes is lost. */
  readonly pollMs: number;
  /** Milliseconds from a failed poll to the next one; 500 by default. */
  readonly retryMs?: number;
};

export const sessionTopic = 'flow-session';
/** Maximum number of events of one read; further events are read page by page. */
const pageSize = 100;

type Follower = { cursor: number; wants: boolean; readonly take: TakeEvents };
type Channel = { readonly followers: Set<Follower>; looking: boolean; again: boolean };

/** Events always come from the store, after each follower's own position, so none is lost or delivered twice. */
export function createSessionWatch(deps: SessionWatchDeps): SessionWatch {
  const { events, pubSub, log, pollMs, retryMs = 500 } = deps;
  const channels = new Map<string, Channel>();
  let failing = false;
  let running = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** One read at a time for each session; a call during a read causes one more. */
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
    if (!failing) log.warn('flow.watch-failed', { reason: messageOf(error) });
    failing = true;
    if (running) retry ??= setTimeout(lookAgain, retryMs).unref();
  }

  /** One poll for all reads that have failed. */
  function lookAgain(): void {
    retry = undefined;
    void poll();
  }

  const poll = singleFlight(lookAtAll);

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

/** The position of the follower that is furthest behind, of those that want more. */
function placeOf({ followers }: Channel): number | undefined {
  let place: number | undefined;
  for (const { wants, cursor } of followers) if (wants && (place === undefined || cursor < place)) place = cursor;
  return place;
}

/** A follower that joined during the read may be behind the read's start; the next read serves it. */
function hand(follower: Follower, after: number, found: readonly FlowEventRecord[]): void {
  if (!follower.wants || follower.cursor < after) return;
  const fresh = found.filter(({ sequence }) => sequence > follower.cursor);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.cursor = last.sequence;
  if (!follower.take(fresh)) follower.wants = false;
}

/** Undefined if the message has another form. */
function sessionIdOf(payload: unknown): string | undefined {
  const sessionId = member(payload, 'sessionId');
  return typeof sessionId === 'string' ? sessionId : undefined;
}
