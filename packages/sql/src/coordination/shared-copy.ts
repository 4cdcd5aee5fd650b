/**
 * A copy, in this process, of data that every gateway reads often and that seldom changes. It is reloaded when another
 * gateway reports a change, and when a poll finds one (contract/many-gateways#shared-copies).
 */

import { pollSteadily } from '@flowgate/async/poll-steadily';
import type { PubSub } from '@flowgate/async/pub-sub';
import type { Clock } from '@flowgate/base/clock';
import { messageOf } from '@flowgate/base/text';
import type { Log } from '@flowgate/telemetry/log';

/** The data as of a revision, or newer: `load` must read the revision before the data, or both in one statement. */
export type Loaded<Value> = { readonly revision: number; readonly value: Value };

export type SharedCopyDeps<Value> = {
  /** The name of the data, in the log and in the topic of its messages. */
  readonly name: string;
  /**
   * The store's current revision, which each change raises in its own transaction
   * (`@flowgate/sql/coordination/revisions`).
   */
  readonly readRevision: () => Promise<number>;
  /**
   * Reads the data. `previous` is the copy so far: a loader of much data may read only the changes since its revision.
   */
  readonly load: (previous: Loaded<Value> | undefined) => Promise<Loaded<Value>>;
  /** Called in the turn of the event loop in which a newly loaded copy replaces the earlier one. */
  readonly onLoad?: (value: Value) => void;
  /** Absent without pub/sub: then only polls find the changes of other gateways. */
  readonly pubSub?: PubSub | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
};

export type SharedCopy<Value> = {
  /** `undefined` until the first load. */
  readonly current: () => Value | undefined;
  /** Milliseconds since the copy was known to equal the store's data; infinite until the first load. */
  readonly ageMs: () => number;
  /**
   * Loads the copy. Resolves when it contains every change that was committed before the call.
   *
   * @throws any error of `load`; the copy then stays unchanged.
   */
  readonly reload: () => Promise<void>;
  /**
   * Call it after a change was committed: notifies the other gateways at once, and reloads here. Answer the caller
   * after it has resolved: the change is then visible here.
   *
   * @throws any error of `load`: the change is stored, and visible here when the next poll succeeds.
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

  /**
   * A running load may have read before the caller's change. The caller waits for the next load, which all callers
   * meanwhile share.
   */
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
