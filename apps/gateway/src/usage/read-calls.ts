/** Reads the JSON-RPC calls that a user made recently, for previews of policies (contract/firewall#preview). */

import { otherLabel, tokenLabel } from '../api/used.ts';
import type { ReadUsageDeps } from './read-usage.ts';
import { bucketMs } from './usage-query.ts';

export type UsedCalls = {
  /** Undefined: with a token. */
  readonly keyId: string | undefined;
  /** `ethereum/dev`. */
  readonly network: string;
  readonly method: string;
  readonly requests: number;
};

const lastHours = 24;
/** Distinct calls of one user. A gateway process counts at most 200 label sets of a user at a time. */
const bounds = { sums: 5_000, points: 50_000 };
const hasMethods = new Set(['rpc', 'websocket']);
/** An opened WebSocket is counted under this name. */
const opening = 'connect';

/**
 * The last 24 hours, including the whole first hour. `too-many`: more than can be added up. `busy`: the user has the maximum of pending queries. @throws
 * Unavailable
 */
export async function readCalls(
  { store, clock, gate }: ReadUsageDeps,
  userId: string,
): Promise<readonly UsedCalls[] | 'too-many' | 'busy'> {
  const hourMs = bucketMs.hour;
  const toMs = Math.ceil(clock.now() / hourMs) * hourMs;
  const time = { bucket: 'hour', fromMs: toMs - (lastHours + 1) * hourMs, toMs } as const;
  const answer = await gate.run(userId, () => store.read({ ...time, by: 'call', isFolded: true, userId }, bounds));
  if (answer === undefined) return 'busy';
  if (answer.kind === 'too-many-points' || answer.sums.length > bounds.sums) return 'too-many';
  return answer.sums.flatMap(({ by, requests }) => {
    const [surface = '', keyId = '', network = '', ...method] = by.split(' ');
    const name = method.join(' ');
    if (!hasMethods.has(surface) || !network.includes('/') || keyId === otherLabel || name === opening) return [];
    return [{ keyId: keyId === tokenLabel ? undefined : keyId, network, method: name, requests }];
  });
}
