/** Lets so many ranges be read at the same time by all streams of a process, in the order in which they ask: what they read is in memory. */

export type ReadGate = <T>(read: () => Promise<T>) => Promise<T>;

export function createReadGate(most: number): ReadGate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (read) => {
    if (running >= most) await new Promise<void>((enter) => waiting.push(enter));
    else running += 1;
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      // The place passes on.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
