/** The number of requests of a user in the last 24 hours, and the time of the last one (contract/administration#users). */

import type { ReadUsageDeps } from './read-usage.ts';
import { bucketMs } from './usage-query.ts';

export type LastDay = { readonly requests: number; readonly lastAtMs?: number };

const bounds = { sums: 100, points: 50_000 };

/** By whole hours, including the first. @throws Unavailable */
export async function readLastDay(
  { store, clock }: Pick<ReadUsageDeps, 'store' | 'clock'>,
  userId: string,
): Promise<LastDay> {
  const hourMs = bucketMs.hour;
  const toMs = Math.ceil(clock.now() / hourMs) * hourMs;
  const question = { bucket: 'hour', by: 'total', userId, fromMs: toMs - 25 * hourMs, toMs } as const;
  const answer = await store.read(question, bounds);
  const sums = answer.kind === 'sums' ? answer.sums : [];
  const last = sums.at(-1);
  const requests = sums.reduce((sum, each) => sum + each.requests, 0);
  return last === undefined ? { requests } : { requests, lastAtMs: last.atMs };
}
