/** Does a leader's job for as long as it leads. */

import type { Lease } from '../../platform/coordination/lease-store.ts';
import { pause } from '../../platform/coordination/pause.ts';
import type { IndexJob } from './index-job.ts';
import type { IndexStore } from './index-store.ts';

export type IndexParts = { readonly store: IndexStore };

const idleMs = 60_000;

/** Until `signal` is aborted. */
export async function runIndexJob(
  { store }: IndexParts,
  job: IndexJob,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> {
  for (const { streamId, startBlock } of job.streams) await store.begin(streamId, startBlock, lease);
  while (!signal.aborted) await pause(idleMs, signal);
}
