/** Lists a user's withdrawals, from the database alone (contract/withdrawals). */

import type { Clock } from '@flowgate/base/clock';
import { isTypeId } from '@flowgate/base/ids';
import { pageOf } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { Bridge } from '../bridges/bridge.ts';
import type { BridgeWallet, WalletsOf } from '../bridges/bridge-wallet.ts';
import type { StreamState } from '../indexing/index-store.ts';
import { staleSince } from '../indexing/stale-since.ts';
import { bridgeStreamIds } from '../indexing/stream-id.ts';
import { parseRecordList, placesOn, visibleRecord } from '../lists/record-query.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { sourceToken } from '../tokens/token-wire.ts';
import { type WithdrawalRecord, withdrawalStatuses } from './withdrawal.ts';
import type { WithdrawalStore } from './withdrawal-store.ts';
import { type withdrawal, type withdrawalPage, withdrawalView, withdrawnToken } from './withdrawal-wire.ts';

export type WithdrawalDeps = {
  readonly bridges: readonly Bridge[];
  readonly store: Pick<WithdrawalStore, 'list' | 'find' | 'portals'>;
  readonly walletsOf: WalletsOf;
  /** How far the chains were read. */
  readonly states: () => Promise<readonly StreamState[]>;
  readonly describe: TokenStore['describe'];
  readonly clock: Pick<Clock, 'now'>;
  /** The interval of the indexer's checks. */
  readonly pollMs: number;
};

/** Throws `Unavailable`. */
export async function listWithdrawals(
  deps: WithdrawalDeps,
  userId: string,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof withdrawalPage>, 'bad-request'>> {
  const parsed = parseRecordList(query, 'wdr', withdrawalStatuses);
  if (!parsed.ok) return parsed;
  const { bridgeId: _, wallet: __, ...terms } = parsed.value;
  const wallets = await deps.walletsOf(userId);
  const { records, next } = await deps.store.list({
    ...terms,
    senders: placesOn(({ l2 }) => l2, deps.bridges, wallets, parsed.value),
    receivers: placesOn(({ l1 }) => l1, deps.bridges, wallets, parsed.value),
  });
  return ok(pageOf(await shown(deps, records), next));
}

/** A withdrawal of another user is not found. Throws `Unavailable`. */
export async function findWithdrawal(
  deps: WithdrawalDeps,
  userId: string,
  withdrawalId: string,
): Promise<Result<BodyOf<typeof withdrawal>, 'not-found'>> {
  const found = await visibleWithdrawal(deps, userId, withdrawalId);
  const [view] = found === undefined ? [] : await shown(deps, [found.record]);
  return view === undefined ? noSuchWithdrawal : ok(view);
}

export const noSuchWithdrawal = refused('not-found', 'You have no such withdrawal.');

/** The withdrawal with its bridge and the user's wallets; undefined for a withdrawal that the user may not see. Throws `Unavailable`. */
export async function visibleWithdrawal(
  deps: Pick<WithdrawalDeps, 'bridges' | 'walletsOf'> & { readonly store: Pick<WithdrawalStore, 'find'> },
  userId: string,
  withdrawalId: string,
): Promise<
  { readonly record: WithdrawalRecord; readonly bridge: Bridge; readonly wallets: readonly BridgeWallet[] } | undefined
> {
  if (!isTypeId('wdr', withdrawalId)) return undefined;
  const ends = { source: ({ l2 }: Bridge) => l2, destination: ({ l1 }: Bridge) => l1 };
  return visibleRecord(deps, userId, () => deps.store.find(withdrawalId), ends);
}

/** In the order of the records. */
async function shown(
  deps: WithdrawalDeps,
  records: readonly WithdrawalRecord[],
): Promise<readonly BodyOf<typeof withdrawal>[]> {
  if (records.length === 0) return [];
  const { states, clock, pollMs, store } = deps;
  const nowMs = clock.now();
  const placed = records.flatMap((record) => {
    const bridge = deps.bridges.find(({ bridgeId }) => bridgeId === record.bridgeId);
    return bridge === undefined ? [] : [{ record, bridge }];
  });
  const named = placed.flatMap(({ record, bridge }) => {
    const ends = withdrawnToken(record);
    return ends === undefined ? [] : [sourceToken(ends, { ...bridge.l2, side: 'l2' })];
  });
  const bridgeIds = [...new Set(placed.map(({ bridge }) => bridge.bridgeId))];
  const [known, tokens, portals] = await Promise.all([states(), deps.describe(named), store.portals(bridgeIds)]);
  return placed.map(({ record, bridge }) => {
    const { l1, l2 } = bridgeStreamIds(bridge.bridgeId);
    const isPaused = portals.some((portal) => portal.bridgeId === bridge.bridgeId && portal.isPaused);
    const staleSinceMs = staleSince(known, [l1, l2], { nowMs, pollMs, createdAtMs: record.createdAtMs });
    return withdrawalView(record, { bridge, tokens, isPaused, staleSinceMs });
  });
}
