/** A copy, in this process, of data that every gateway needs all the time and seldom changes: reloaded when another gateway tells of a change, and when a poll finds one (contract/many-gateways#shared-copies). */

import { pollSteadily } from '@flowgate/async/poll-steadily';
import type { PubSub } from '@flowgate/async/pub-sub';
import type { Clock } from '@flowgate/base/clock';
import { messageOf } from '@flowgate/base/text';
import type { Log } from '@flowgate/telemetry/log';

/** The data as of a revision, or newer: whoever loads reads the revision before the data, or both in one statement. */
export type Loaded<Value> = { readonly revision: number; readonly value: Value };

export type SharedCopyDeps<Value> = {
  /** Of the data: in the log, and in the topic of its messages. */
  readonly name: string;
  /** The store's present revision, which each change raises in its own transaction (`@flowgate/sql/coordination/revisions`). */
  readonly readRevision: () => Promise<number>;
  /** Reads the data. `previous` is the copy so far: a large one may read only what has changed since its revision. */
  readonly load: (previous: Loaded<Value> | undefined) => Promise<Loaded<Value>>;
  /** Called in the turn in which a newly loaded copy takes the place of the earlier one. */
  readonly onLoad?: (value: Value) => void;
  /** Absent without pub/sub: then only polls find the changes of others. */
  readonly pubSub?: PubSub | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
};

export type SharedCopy<Value> = {
  /** `undefined` until it was loaded once. */
  readonly current: () => Value | undefined;
  /** Milliseconds since the copy was known to be what the store has; infinite until it was loaded once. */
  readonly ageMs: () => number;
  /**
   * Loads the copy; resolves when it holds whatever was committed before the call.
   * @throws what `load` throws: the copy is what it was.
   */
  readonly reload: () => Promise<void>;
  /**
   * Call it when a change was committed: tells the other gateways at once, and reloads here. Answer the caller after it has resolved: then the change is in force here.
   * @throws what `load` throws: the change is stored, and in force here when the next poll succeeds.
   */
  readonly changed: () => Promise<void>;
  /** Starts listening and polling; the returned function ends both. It does not load: `reload` does. */
  readonly start: (pollMs?: number) => () => void;
};

/** The poll, its answer and the load fit into the 5 s within which each gateway learns of a change. */
export const defaultPollMs = 4_000;

export function createSharedCopy<Value>(deps: SharedCopyDeps<Value>): SharedCopy<Value> {
  const { name, readRevision, load, onLoad, pubSub, clock, log } = deps;
  const topic = `changed:${name}`;
  let loadedCopy: Loaded<Value> | undefined;
  let certainAtMs = Number.NEGATIVE_INFINITY;
  let failing = false;
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  async function loadNow(): Promise<void> {
    const askedAtMs = clock.monotonic();
    const loaded = await load(loadedCopy);
    loadedCopy = loaded;
    certainAtMs = askedAtMs;
    onLoad?.(loaded.value);
  }

  function run(): Promise<void> {
    running = loadNow().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** A load that is in progress may have read before the caller's change: the caller waits for the next one, which all callers meanwhile share. */
  function reload(): Promise<void> {
    if (running === undefined) return run();
    following ??= running
      .catch(() => {})
      .then(() => {
        following = undefined;
        return run();
      });
    return following;
  }

  /** Never rejects. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (failing) log.info('shared-copy.recovered', { name });
      failing = false;
    } catch (error) {
      if (!failing) log.warn('shared-copy.failed', { name, reason: messageOf(error) });
      failing = true;
    }
  }

  const poll = () =>
    attempt(async () => {
      const askedAtMs = clock.monotonic();
      if ((await readRevision()) !== loadedCopy?.revision) return reload();
      certainAtMs = Math.max(certainAtMs, askedAtMs);
    });

  return {
    current: () => loadedCopy?.value,
    ageMs: () => clock.monotonic() - certainAtMs,
    reload,
    changed() {
      pubSub?.publish(topic, {});
      return reload();
    },
    start(pollMs = defaultPollMs) {
      const stopListening = pubSub?.subscribe(topic, () => void attempt(reload));
      const stopGaps = pubSub?.onGap(() => void poll());
      const stopPolling = pollSteadily(pollMs, poll, () => failing);
      return () => {
        stopPolling();
        stopListening?.();
        stopGaps?.();
      };
    },
  };
}
