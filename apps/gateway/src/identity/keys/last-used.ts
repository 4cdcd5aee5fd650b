/** When each key was last used: recorded in memory on the request path, written later in batches (contract/keys#the-ten-keys). */

import type { ApiKeyStore } from './api-key-store.ts';

export type LastUsed = {
  /** Records a use at `atMs` (wall clock). Constant time; no allocation for a key that is already recorded. */
  record(keyId: string, atMs: number): void;
  /**
   * Reads the times that this process knows and the storage may not. Create the reader before reading the storage: it includes what a flush writes meanwhile,
   * so that a list on this node is exact.
   */
  reader(): (keyId: string) => number | undefined;
  /**
   * Writes all times recorded before the call. False when the storage failed; the times are then retained for the next flush. At drain, call it after the
   * last request.
   */
  flush(): Promise<boolean>;
  /** Flushes every `intervalMs` until the returned function is called. */
  start(intervalMs: number): () => void;
};

/** Retains at most `maxKeys` times while the storage is unavailable. Beyond that the oldest is dropped: memory is bounded at the cost of an audit time. */
export function createLastUsed(store: Pick<ApiKeyStore, 'touch'>, maxKeys = 100_000): LastUsed {
  let noted = new Map<string, number>();
  let writing = new Map<string, number>();
  let tail: Promise<boolean> = Promise.resolve(true);

  const write = async (): Promise<boolean> => {
    if (noted.size === 0) return true;
    writing = noted;
    noted = new Map();
    try {
      await store.touch(writing);
      return true;
    } catch {
      for (const [keyId, atMs] of writing) if (!noted.has(keyId) && noted.size < maxKeys) noted.set(keyId, atMs);
      return false;
    } finally {
      writing = new Map();
    }
  };
  const flush = () => {
    tail = tail.then(write);
    return tail;
  };

  return {
    record(keyId, atMs) {
      noted.set(keyId, atMs);
      if (noted.size > maxKeys) dropOldest(noted);
    },
    reader() {
      const [before, during] = [noted, writing];
      return (keyId) => latest(latest(before.get(keyId), during.get(keyId)), noted.get(keyId));
    },
    flush,
    start(intervalMs) {
      const timer = setInterval(flush, intervalMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

/** The later of two times; either may be undefined. */
export function latest(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined) return right;
  return right === undefined || left > right ? left : right;
}

/** Maps iterate in the order of insertion. */
function dropOldest(map: Map<string, number>): void {
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
