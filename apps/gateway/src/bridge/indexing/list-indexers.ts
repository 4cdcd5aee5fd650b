/** The streams of the configured bridges and pools, and their progress (contract/indexer#progress). */

import type { Clock } from '@flowgate/base/clock';
import { isoTime } from '@flowgate/base/iso-time';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { Bridge, BridgeSide, SwapPool } from '../bridges/bridge.ts';
import type { IndexStore, StreamState } from './index-store.ts';
import type { indexers } from './indexer-wire.ts';
import { staleSince } from './stale-since.ts';
import { bridgeLeaseName, bridgeStreamIds, poolLeaseName, poolStreamId } from './stream-id.ts';

export type IndexerDeps = {
  readonly bridges: readonly Bridge[];
  readonly pools: readonly SwapPool[];
  readonly store: Pick<IndexStore, 'states' | 'leader'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly pollMs: number;
  /** The name of this process. */
  readonly nodeId: string;
  /** The fault of the contracts that a stream follows, as this process found when it started; undefined while none is known. */
  readonly misconfigured: (streamId: string) => string | undefined;
};

type Listed = {
  readonly streamId: string;
  readonly side: Pick<BridgeSide, 'dlt' | 'networkId'>;
  readonly startBlock: number;
  readonly leaseName: string;
  readonly of: { readonly bridgeId: string } | { readonly pools: string[] };
};

/** Throws `Unavailable` when the storage does not answer. */
export async function listIndexers(deps: IndexerDeps): Promise<BodyOf<typeof indexers>> {
  const listed = [...deps.bridges.flatMap(streamsOf), ...poolStreams(deps.pools)];
  const names = [...new Set(listed.map(({ leaseName }) => leaseName))];
  const [states, leaders] = await Promise.all([
    deps.store.states(),
    Promise.all(names.map(async (name) => [name, await deps.store.leader(name)] as const)),
  ]);
  const leaderOf = new Map(leaders);
  return {
    indexers: listed.map((each) => {
      const state = states.find(({ streamId }) => streamId === each.streamId);
      return view(deps, each, state, leaderOf.get(each.leaseName));
    }),
  };
}

function view(
  { clock, pollMs, nodeId, misconfigured }: IndexerDeps,
  listed: Listed,
  state: StreamState | undefined,
  leader?: string,
) {
  const { streamId, side, startBlock, of } = listed;
  const { nextBlock = startBlock, epoch = 0, head, readAtMs, rereadTo } = state ?? {};
  const trouble = misconfigured(streamId) ?? state?.trouble;
  const terms = { nowMs: clock.now(), pollMs, createdAtMs: 0 };
  const isStale = staleSince([{ ...state, streamId, nextBlock, epoch }], [streamId], terms) !== undefined;
  return {
    ...{ streamId, ...of, dlt: side.dlt, networkId: side.networkId, nextBlock },
    ...(head && {
      head: { number: head.number, hash: head.hash, time: isoTime(head.timeMs) },
      lagBlocks: Math.max(0, head.number + 1 - nextBlock),
    }),
    ...(readAtMs !== undefined && { readAt: isoTime(readAtMs) }),
    isStale,
    ...(trouble !== undefined && { trouble }),
    epoch,
    ...(rereadTo !== undefined && rereadTo >= nextBlock && { rereadTo }),
    ...(leader !== undefined && { leader }),
    isLedHere: leader === nodeId,
  };
}

function streamsOf({ bridgeId, l1, l2, startBlocks }: Bridge): readonly Listed[] {
  const ids = bridgeStreamIds(bridgeId);
  const common = { leaseName: bridgeLeaseName(bridgeId), of: { bridgeId } };
  return [
    { ...common, streamId: ids.l1, side: l1, startBlock: startBlocks.l1 },
    { ...common, streamId: ids.l2, side: l2, startBlock: startBlocks.l2 },
  ];
}

function poolStreams(pools: readonly SwapPool[]): readonly Listed[] {
  const groups = Map.groupBy(pools, ({ side }) => poolStreamId(side));
  return [...groups].flatMap(([streamId, ofNetwork]) => {
    const [first] = ofNetwork;
    if (first === undefined) return [];
    const startBlock = Math.min(...ofNetwork.map((pool) => pool.startBlock));
    const of = { pools: ofNetwork.map(({ poolId }) => poolId) };
    return [{ streamId, side: first.side, startBlock, leaseName: poolLeaseName(first.side), of }];
  });
}
