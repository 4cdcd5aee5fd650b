/** The work of one leader: the streams of one bridge, or of the pools of one network, and the settlers that run after reading. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { Bridge, BridgeSide, SwapPool } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { LogReader, LogStream } from '../facts/log-stream.ts';
import type { StreamState } from './index-store.ts';
import type { PoolSettler, Settler } from './settler.ts';
import { bridgeLeaseName, bridgeStreamIds, poolLeaseName, poolStreamId } from './stream-id.ts';

/** A stream, with its bridge (for pools: `swaps`), and its chain for readers and settlers. */
export type JobStream = LogStream & {
  readonly bridgeId: string;
  readonly chain: ChainReader;
  /** True when the blooms of the network's blocks can be trusted. */
  readonly usesBlooms: boolean;
};

/** The round of the settlers, from the states in the order of the job's streams. */
export type JobRound = {
  readonly states: readonly StreamState[];
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly nowMs: number;
};

export type JobSettler = { readonly name: string; readonly settle: (round: JobRound) => Promise<'done' | 'more'> };

export type IndexJob = {
  /** The name of the lease: `bridge main`, `swaps ethereum/l2`. */
  readonly name: string;
  readonly streams: readonly JobStream[];
  readonly settlers: readonly JobSettler[];
};

type ChainOf = (side: BridgeSide) => Pick<JobStream, 'chain' | 'usesBlooms'>;

export function bridgeJob(
  bridge: Bridge,
  readers: { readonly l1: readonly LogReader[]; readonly l2: readonly LogReader[] },
  settlers: readonly Settler[],
  chainOf: ChainOf,
): IndexJob {
  const { bridgeId, startBlocks } = bridge;
  const ids = bridgeStreamIds(bridgeId);
  const stream = (name: 'l1' | 'l2'): JobStream => {
    const side = bridge[name];
    return {
      ...{ streamId: ids[name], bridgeId, side, ...chainOf(side) },
      ...{ startBlock: startBlocks[name], readers: readers[name] },
    };
  };
  const [l1, l2] = [stream('l1'), stream('l2')];
  return {
    name: bridgeLeaseName(bridgeId),
    streams: [l1, l2],
    settlers: settlers.map(({ name, settle }) => ({
      name,
      async settle({ states: [first, second], ...round }) {
        if (first === undefined || second === undefined) return 'done';
        return settle({
          ...{ bridge, ...round },
          ...{ l1: { chain: l1.chain, state: first }, l2: { chain: l2.chain, state: second } },
        });
      },
    })),
  };
}

/** For pools that are all on one network. */
export function poolsJob(
  pools: readonly SwapPool[],
  side: BridgeSide,
  readers: readonly LogReader[],
  settlers: readonly PoolSettler[],
  chainOf: ChainOf,
): IndexJob {
  const ofChain = chainOf(side);
  const { chain } = ofChain;
  const startBlock = Math.min(...pools.map((pool) => pool.startBlock));
  return {
    name: poolLeaseName(side),
    streams: [{ streamId: poolStreamId(side), bridgeId: 'swaps', side, ...ofChain, startBlock, readers }],
    settlers: settlers.map(({ name, settle }) => ({
      name,
      settle: async ({ states: [state], ...round }) =>
        state === undefined ? 'done' : settle({ ...{ pools, side, chain, state }, ...round }),
    })),
  };
}
