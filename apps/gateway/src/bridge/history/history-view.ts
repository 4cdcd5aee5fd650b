/** Turns records into entries for the wallets of one user (contract/history#entries). */

import { isoTime } from '@flowgate/base/iso-time';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import type { Bridge, BridgeSide } from '../bridges/bridge.ts';
import { type BridgeWallet, countsOn } from '../bridges/bridge-wallet.ts';
import { poolStreamId } from '../indexing/stream-id.ts';
import type { KnownTokens, TokenPlace } from '../tokens/token-store.ts';
import { bridgedTokenView, sourceToken, swappedTokenView } from '../tokens/token-wire.ts';
import type { CrossingRecord, HistoryRecord, SwapEntryRecord } from './history-record.ts';
import type { HistoryPlaces } from './history-searches.ts';
import type { historyEntry } from './history-wire.ts';

export type HistoryEntry = BodyOf<typeof historyEntry>;

type Wallets = readonly BridgeWallet[];

/** Undefined for a record of a bridge or network that is not configured, or in which none of the wallets counts. */
export function historyView(
  record: HistoryRecord,
  wallets: Wallets,
  places: HistoryPlaces,
  known: KnownTokens,
): HistoryEntry | undefined {
  if (record.type === 'swap') {
    const side = swapSide(record, places);
    return side && swapView(record, wallets, side, known);
  }
  const bridge = places.bridges.find(({ bridgeId }) => bridgeId === record.bridgeId);
  return bridge && crossingView(record, wallets, bridge, known);
}

/** The tokens whose symbol and decimals are shown. */
export function tokensOf(records: readonly HistoryRecord[], places: HistoryPlaces): readonly TokenPlace[] {
  return records.flatMap((record): readonly TokenPlace[] => {
    if (record.type === 'swap') {
      const { dlt, networkId } = swapSide(record, places) ?? {};
      if (dlt === undefined || networkId === undefined) return [];
      return [record.tokenIn, record.tokenOut].map((address) => ({ dlt, networkId, address }));
    }
    const bridge = places.bridges.find(({ bridgeId }) => bridgeId === record.bridgeId);
    return bridge === undefined || record.token === undefined
      ? []
      : [sourceToken(record.token, sourceOf(record, bridge))];
  });
}

function crossingView(
  record: CrossingRecord,
  wallets: Wallets,
  bridge: Bridge,
  known: KnownTokens,
): HistoryEntry | undefined {
  const { type, id, status, kind, amount, transactions } = record;
  const source = sourceOf(record, bridge);
  const destination = source.side === 'l1' ? bridge.l2 : bridge.l1;
  const isSender = isLinked(wallets, record.from, source);
  const isReceiver = isLinked(wallets, record.to, destination);
  if (!isSender && !isReceiver) return undefined;
  // A message without ether transfers nothing.
  const isMoved = kind !== 'message' || amount !== '0';
  const moved = { token: bridgedTokenView(record.token, source, known), amount };
  return {
    ...{ type, id, status },
    createdAt: isoTime(record.createdAtMs),
    dlt: source.dlt,
    networkId: source.networkId,
    wallet: checksumAddress(isSender ? record.from : record.to),
    ...(isSender && isMoved ? { sent: moved } : {}),
    ...(isReceiver && isMoved ? { received: moved } : {}),
    transactions: transactions.map(({ side, hash, purpose }) => {
      const { dlt, networkId } = bridge[side];
      return { dlt, networkId, hash, purpose };
    }),
  };
}

function swapView(
  record: SwapEntryRecord,
  wallets: Wallets,
  side: BridgeSide,
  known: KnownTokens,
): HistoryEntry | undefined {
  const { type, id, status, transactionHash: hash } = record;
  const { dlt, networkId } = side;
  const swapper = swapperOf(record, wallets, side);
  // The amount that the pool pays to its caller, such as a router, is for the user who swapped.
  const isForSwapper = swapper !== undefined && record.to === record.sender;
  const isReceived = isForSwapper || isLinked(wallets, record.to, side);
  const wallet = swapper ?? (isReceived ? record.to : undefined);
  if (wallet === undefined) return undefined;
  const token = (address: string) => swappedTokenView({ dlt, networkId, address }, known);
  return {
    ...{ type, id, status },
    createdAt: isoTime(record.createdAtMs),
    ...{ dlt, networkId },
    wallet: checksumAddress(wallet),
    ...(swapper === undefined ? {} : { sent: { token: token(record.tokenIn), amount: record.amountIn } }),
    ...(isReceived ? { received: { token: token(record.tokenOut), amount: record.amountOut } } : {}),
    transactions: [{ dlt, networkId, hash, purpose: 'swap' }],
  };
}

/** The contract wallet that called the pool, else the sender of the transaction; undefined when neither is linked. */
function swapperOf({ from, sender }: SwapEntryRecord, wallets: Wallets, side: BridgeSide): string | undefined {
  return [sender, from].find((address) => isLinked(wallets, address, side));
}

function isLinked(wallets: Wallets, address: string, side: { readonly chainId: number }): boolean {
  return wallets.some((wallet) => wallet.address === address && countsOn(wallet, side));
}

function sourceOf({ type }: CrossingRecord, bridge: Bridge): BridgeSide & { readonly side: 'l1' | 'l2' } {
  return type === 'deposit' ? { ...bridge.l1, side: 'l1' } : { ...bridge.l2, side: 'l2' };
}

function swapSide({ streamId }: SwapEntryRecord, { pools }: HistoryPlaces): BridgeSide | undefined {
  return pools.find(({ side }) => poolStreamId(side) === streamId)?.side;
}
