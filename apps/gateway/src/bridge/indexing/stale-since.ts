/** The time since which a record may be behind its chains (contract/bridge#stale). */

import type { StreamState } from './index-store.ts';

/** Polls that may fail before a chain counts as away. */
const missedPolls = 3;
const minMs = 15_000;

/** Milliseconds since the Unix epoch; undefined while all of the streams are read. `createdAtMs`: of the record, for a chain that was never read. `pollMs`: the interval of the indexer's checks. */
export function staleSince(
  states: readonly StreamState[],
  streamIds: readonly string[],
  { nowMs, pollMs, createdAtMs }: { readonly nowMs: number; readonly pollMs: number; readonly createdAtMs: number },
): number | undefined {
  const limitMs = nowMs - Math.max(minMs, missedPolls * pollMs);
  const oldest = streamIds
    .map((streamId) => states.find((state) => state.streamId === streamId)?.readAtMs ?? createdAtMs)
    .filter((readAtMs) => readAtMs < limitMs);
  return oldest.length === 0 ? undefined : Math.min(...oldest);
}
