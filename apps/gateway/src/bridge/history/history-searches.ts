/** The places to search for a user's records: each wallet on the chains where it counts (contract/bridge#wallets). */

import type { Bridge, SwapPool } from '../bridges/bridge.ts';
import { type BridgeWallet, countsOn } from '../bridges/bridge-wallet.ts';
import { poolStreamId } from '../indexing/stream-id.ts';
import { placesOn, type RecordPlace } from '../lists/record-query.ts';
import type { HistoryType } from './history-record.ts';
import type { HistorySearch } from './history-store.ts';

export type HistoryPlaces = { readonly bridges: readonly Bridge[]; readonly pools: readonly SwapPool[] };

/** A deposit has its sender on L1 and its receiver on L2, a withdrawal the reverse; a swap is on its pool's network. Empty when there is no place to search. */
export function historySearches(
  types: readonly HistoryType[],
  wallets: readonly BridgeWallet[],
  { bridges, pools }: HistoryPlaces,
): readonly HistorySearch[] {
  const [onL1, onL2] = (['l1', 'l2'] as const).map((side) => placesOn((bridge) => bridge[side], bridges, wallets, {}));
  const searches: readonly HistorySearch[] = [
    { type: 'deposit', role: 'from', places: onL1 ?? [] },
    { type: 'deposit', role: 'to', places: onL2 ?? [] },
    { type: 'withdrawal', role: 'from', places: onL2 ?? [] },
    { type: 'withdrawal', role: 'to', places: onL1 ?? [] },
    ...(['from', 'sender', 'to'] as const).map(
      (role) => ({ type: 'swap', role, places: swapPlaces(wallets, pools) }) as const,
    ),
  ];
  return searches.filter(({ type, places }) => types.includes(type) && places.length > 0);
}

function swapPlaces(wallets: readonly BridgeWallet[], pools: readonly SwapPool[]): readonly RecordPlace[] {
  const networks = new Map(pools.map(({ side }) => [poolStreamId(side), side]));
  return [...networks].flatMap(([partition, side]) =>
    wallets.filter((wallet) => countsOn(wallet, side)).map(({ address }) => ({ address, partition })),
  );
}
