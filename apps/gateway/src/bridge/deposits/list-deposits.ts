/** Lists a user's deposits from the database, with a short check on L1 of those that are stalled (contract/deposits). */

import type { Clock } from '@flowgate/base/clock';
import { isTypeId } from '@flowgate/base/ids';
import { pageOf } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { Bridge } from '../bridges/bridge.ts';
import type { WalletsOf } from '../bridges/bridge-wallet.ts';
import type { StreamState } from '../indexing/index-store.ts';
import { newestRead } from '../indexing/newest-read.ts';
import { staleSince } from '../indexing/stale-since.ts';
import { bridgeStreamIds } from '../indexing/stream-id.ts';
import { parseRecordList, placesOn, visibleRecord } from '../lists/record-query.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { sourceToken } from '../tokens/token-wire.ts';
import { type CheckStalled, checkWithin } from './check-stalled.ts';
import { type DepositRecord, depositStatuses } from './deposit.ts';
import type { DepositStore } from './deposit-store.ts';
import { type deposit, type depositPage, depositView, tokenEnds } from './deposit-wire.ts';

export type DepositDeps = {
  readonly bridges: readonly Bridge[];
  readonly store: Pick<DepositStore, 'list' | 'find'>;
  readonly walletsOf: WalletsOf;
  /** How far the chains were read. */
  readonly states: () => Promise<readonly StreamState[]>;
  readonly describe: TokenStore['describe'];
  readonly checkStalled: CheckStalled;
  readonly clock: Pick<Clock, 'now'>;
  /** The interval of the indexer's checks. */
  readonly pollMs: number;
};

/** Throws `Unavailable`. */
export async function listDeposits(
  deps: DepositDeps,
  userId: string,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof depositPage>, 'bad-request'>> {
  const parsed = parseRecordList(query, 'dep', depositStatuses);
  if (!parsed.ok) return parsed;
  const { bridgeId: _, wallet: __, ...terms } = parsed.value;
  const wallets = await deps.walletsOf(userId);
  const { records, next } = await deps.store.list({
    ...terms,
    senders: placesOn(({ l1 }) => l1, deps.bridges, wallets, parsed.value),
    receivers: placesOn(({ l2 }) => l2, deps.bridges, wallets, parsed.value),
  });
  return ok(pageOf(await shown(deps, records), next));
}

/** A deposit of another user is not found. Throws `Unavailable`. */
export async function findDeposit(
  deps: DepositDeps,
  userId: string,
  depositId: string,
): Promise<Result<BodyOf<typeof deposit>, 'not-found'>> {
  const found = await visibleDeposit(deps, userId, depositId);
  const [view] = found === undefined ? [] : await shown(deps, [found.record]);
  return view === undefined ? noSuchDeposit : ok(view);
}

export const noSuchDeposit = refused('not-found', 'You have no such deposit.');

/** The deposit with its bridge and the user's wallets; undefined for a deposit that the user may not see. Throws `Unavailable`. */
export async function visibleDeposit(
  deps: Pick<DepositDeps, 'bridges' | 'walletsOf'> & { readonly store: Pick<DepositStore, 'find'> },
  userId: string,
  depositId: string,
): ReturnType<typeof visibleRecord<DepositRecord>> {
  if (!isTypeId('dep', depositId)) return undefined;
  const ends = { source: ({ l1 }: Bridge) => l1, destination: ({ l2 }: Bridge) => l2 };
  return visibleRecord(deps, userId, () => deps.store.find(depositId), ends);
}

/** How long a request waits for a check on L1. */
const checkMs = 1_500;

/** In the order of the records. */
async function shown(deps: DepositDeps, records: readonly DepositRecord[]): Promise<readonly BodyOf<typeof deposit>[]> {
  if (records.length === 0) return [];
  const { states, clock, pollMs } = deps;
  const nowMs = clock.now();
  const placed = records.flatMap((record) => {
    const bridge = deps.bridges.find(({ bridgeId }) => bridgeId === record.bridgeId);
    return bridge === undefined ? [] : [{ record, bridge }];
  });
  const named = placed.flatMap(({ record, bridge }) => {
    const ends = tokenEnds(record);
    return ends === undefined ? [] : [sourceToken(ends, { ...bridge.l1, side: 'l1' })];
  });
  const [known, tokens, reasons] = await Promise.all([
    states(),
    deps.describe(named),
    checkWithin(deps.checkStalled, checkMs)(records, nowMs),
  ]);
  return placed.map(({ record, bridge }) => {
    const streams = bridgeStreamIds(bridge.bridgeId);
    const onL1 = known.find(({ streamId }) => streamId === streams.l1);
    const l1Head = onL1 && newestRead(onL1);
    const staleSinceMs = staleSince(known, [streams.l1, streams.l2], {
      nowMs,
      pollMs,
      createdAtMs: record.createdAtMs,
    });
    const stalledReason = reasons.get(record.depositId);
    const reported = stalledReason === undefined ? record : { ...record, stalledReason };
    return depositView(reported, { bridge, tokens, l1Head, staleSinceMs, nowMs });
  });
}
