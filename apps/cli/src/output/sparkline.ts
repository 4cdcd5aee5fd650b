/** Counts over time as a line of block characters. */

import { inChunks } from '@flowgate/base/in-chunks';

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** At most `width` characters: neighboring buckets are summed until they fit. An empty bucket is a blank. */
export function sparkline(counts: readonly number[], width: number): string {
  const shown = joined(counts, Math.max(1, Math.floor(width)));
  const max = shown.reduce((highest, count) => Math.max(highest, count), 0);
  return shown
    .map((count) => (count > 0 ? (blocks[Math.ceil((count / max) * blocks.length) - 1] ?? blocks[0]) : ' '))
    .join('');
}

function joined(counts: readonly number[], width: number): readonly number[] {
  const each = Math.ceil(counts.length / width);
  if (each <= 1) return counts;
  return inChunks(counts, each).map((some) => some.reduce((sum, count) => sum + count, 0));
}
