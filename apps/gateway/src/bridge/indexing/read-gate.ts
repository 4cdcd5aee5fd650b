/** Bounds the ranges that all streams of a process read at the same time, first come, first served: their data is in memory. */

/** `streamId`: each stream can always read one range, however long nodes take for those of others. */
export type ReadGate = <T>(streamId: string, read: () => Promise<T>) => Promise<T>;

type Waiting = { readonly streamId: string; readonly enter: () => void };

/** At most `max` at once, and one more of each stream that has none among them. */
export function createReadGate(max: number): ReadGate {
  let running = 0;
  const runningOf = new Map<string, number>();
  let waiting: readonly Waiting[] = [];
  const mayEnter = (streamId: string) => running < max || !runningOf.has(streamId);
  const count = (streamId: string, change: 1 | -1) => {
    running += change;
    const own = (runningOf.get(streamId) ?? 0) + change;
    if (own === 0) runningOf.delete(streamId);
    else runningOf.set(streamId, own);
  };
  return async (streamId, read) => {
    if (mayEnter(streamId)) count(streamId, 1);
    else await new Promise<void>((enter) => (waiting = [...waiting, { streamId, enter }]));
    try {
      return await read();
    } finally {
      count(streamId, -1);
      const next = waiting.find((each) => mayEnter(each.streamId));
      if (next !== undefined) {
        waiting = waiting.filter((each) => each !== next);
        count(next.streamId, 1);
        next.enter();
      }
    }
  };
}
