/** How many blocks are asked for at once: fewer where a node refuses, or answers with very much, and more again where it does not. */

export type RangeSize = {
  readonly now: () => number;
  readonly refused: (blocks: number) => void;
  readonly read: (range: { readonly blocks: number; readonly logs: number; readonly bytes: number }) => void;
};

/** Of one answer: what is read at once is in memory, and is parsed in one go. */
export const wantedLogs = 2_000;
const wantedBytes = 2 ** 20;
/** Whatever the configuration allows: the headers of a range are in memory together, about a kilobyte each. */
const maxBlocks = 10_000;
/** Blocks that are asked for first: how full they are is not known yet. */
const firstBlocks = 128;
/** Ranges of the whole size that were read in a row before the next are twice as long. */
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
