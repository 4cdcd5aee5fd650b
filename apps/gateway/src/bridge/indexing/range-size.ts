/** The number of blocks that are requested at once: smaller after a node refuses or returns very much, then growing again. */

export type RangeSize = {
  readonly now: () => number;
  readonly refused: (blocks: number) => void;
  readonly read: (range: { readonly blocks: number; readonly logs: number; readonly bytes: number }) => void;
};

/** Of one answer, which is in memory as a whole and parsed at once. */
export const wantedLogs = 2_000;
const wantedBytes = 2 ** 20;
/** Regardless of the configuration: all headers of a range are in memory, about a kilobyte each. */
const maxBlocks = 10_000;
/** The first size: it is unknown yet how full the blocks are. */
const firstBlocks = 128;
/** After this many consecutive full ranges the size doubles. */
const successes = 2;

export function createRangeSize(allowed: number): RangeSize {
  const max = Math.min(allowed, maxBlocks);
  let size = Math.min(max, firstBlocks);
  let inRow = 0;
  const halve = (blocks: number) => {
    size = Math.max(1, Math.floor(blocks / 2));
    inRow = 0;
  };
  return {
    now: () => size,
    refused: halve,
    read({ blocks, logs, bytes }) {
      if (logs > wantedLogs || bytes > wantedBytes) return halve(blocks);
      const isHalfFull = 2 * logs > wantedLogs || 2 * bytes > wantedBytes;
      if (blocks < size || isHalfFull) return;
      inRow += 1;
      if (inRow < successes) return;
      size = Math.min(max, size * 2);
      inRow = 0;
    },
  };
}
