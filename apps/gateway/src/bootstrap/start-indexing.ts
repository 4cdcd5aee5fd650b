/**
 * Opens the indexer of bridges and pools: the readers of logs, the settlers of what logs do not contain, and the leaders that follow the chains. Loaded only
 * when a bridge or a pool is configured.
 */

import { createTypeIds, type NewTypeId } from '@flowgate/base/ids';
import { errorPlace } from '@flowgate/base/text';
import { meteredLeadership } from '@flowgate/sql/coordination/metered-leadership';
import { runWhileLeader } from '@flowgate/sql/coordination/run-while-leader';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database } from '@flowgate/sql/engine/database';
import type { Bridge, BridgeSide, SwapPool } from '../bridge/bridges/bridge.ts';
import { createChainReader } from '../bridge/chain/chain-reader.ts';
import { createStalledCheck } from '../bridge/deposits/check-stalled.ts';
import { depositReader } from '../bridge/deposits/deposit-reader.ts';
import { depositSettler } from '../bridge/deposits/deposit-settler.ts';
import { relayReader } from '../bridge/deposits/relay-reader.ts';
import { createSqlDepositProgressStore } from '../bridge/deposits/sql-deposit-progress-store.ts';
import { createSqlDepositStore } from '../bridge/deposits/sql-deposit-store.ts';
import type { LogReader } from '../bridge/facts/log-stream.ts';
import { bridgeJob, poolsJob } from '../bridge/indexing/index-job.ts';
import { createLoggedWatch } from '../bridge/indexing/logged-watch.ts';
import { meteredWatch } from '../bridge/indexing/metered-watch.ts';
import { createReadGate } from '../bridge/indexing/read-gate.ts';
import { type IndexDeps, runIndexJob } from '../bridge/indexing/run-index-job.ts';
import type { PoolSettler, Settler } from '../bridge/indexing/settler.ts';
import { createSqlIndexStore } from '../bridge/indexing/sql-index-store.ts';
import { factKinds } from '../bridge/sql-fact-kinds.ts';
import { createSqlSwapStore } from '../bridge/swaps/sql-swap-store.ts';
import { createSwapReader } from '../bridge/swaps/swap-reader.ts';
import { swapSettler } from '../bridge/swaps/swap-settler.ts';
import { createSqlTokenStore } from '../bridge/tokens/sql-token-store.ts';
import { tokenPairReader } from '../bridge/tokens/token-pair-reader.ts';
import { poolTokenSettler, tokenSettler } from '../bridge/tokens/token-settler.ts';
import { createSqlWithdrawalStore } from '../bridge/withdrawals/sql-withdrawal-store.ts';
import { gameReader, portalReader, withdrawalReader } from '../bridge/withdrawals/withdrawal-readers.ts';
import { withdrawalSettler } from '../bridge/withdrawals/withdrawal-settler.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './runtime.ts';

/** What readers and settlers may be made of. */
export type IndexingDeps = Pick<Runtime, 'clock' | 'timeSlices' | 'log'> & {
  readonly database: Database;
  readonly newId: NewTypeId;
};

type ForBridge<T> = (bridge: Bridge, deps: IndexingDeps) => T;
/** For the pools of one network. */
type ForPools<T> = (pools: readonly SwapPool[], deps: IndexingDeps) => T;

const l1Readers: readonly ForBridge<LogReader>[] = [
  gameReader,
  portalReader,
  ({ contracts }) => depositReader(contracts),
];
const l2Readers: readonly ForBridge<LogReader>[] = [tokenPairReader, withdrawalReader, relayReader];
const poolReaders: readonly ForPools<LogReader>[] = [createSwapReader];

/** In the order in which they run. */
const settlers: readonly ForBridge<Settler>[] = [
  (_, { database }) => withdrawalSettler(createSqlWithdrawalStore(database)),
  deposits,
  (_, { database }) => tokenSettler(createSqlTokenStore(database)),
];
const poolSettlers: readonly ForPools<PoolSettler>[] = [
  (_, { database }) => swapSettler(createSqlSwapStore(database)),
  (_, { database }) => poolTokenSettler(createSqlTokenStore(database)),
];

/** Ranges that are read concurrently by all streams of this process: each buffers a node's answer and its facts. */
const rangesAtOnce = 8;

function deposits(bridge: Bridge, { database, timeSlices }: IndexingDeps): Settler {
  const chainOf = ({ network }: BridgeSide) => createChainReader(network, timeSlices);
  const checkStalled = createStalledCheck({ bridges: [bridge], store: createSqlDepositStore(database), chainOf });
  return depositSettler({ store: createSqlDepositProgressStore(database), checkStalled });
}

type Followed = { readonly bridges: readonly Bridge[]; readonly pools: readonly SwapPool[] };

/** Starts a leader for each bridge, and for each network with pools. Returns a function that ends all. */
export function startIndexing(
  config: Pick<Config, 'indexer' | 'networks'>,
  { bridges, pools }: Followed,
  { clock, randomBytes, timeSlices, log, nodeId, instruments }: Runtime,
  database: Database,
): () => Promise<void> {
  const newId = createTypeIds(clock, randomBytes);
  const deps: IndexingDeps = { clock, timeSlices, log, database, newId };
  const chainOf = ({ dlt, networkId, network }: BridgeSide) => {
    const configured = config.networks.find((each) => each.dlt === dlt && each.networkId === networkId);
    const usesBlooms = configured?.subscriptions.logsBloom !== false;
    return { chain: createChainReader(network, timeSlices), usesBlooms };
  };
  const jobs = [
    ...bridges.map((bridge) => {
      const [l1, l2] = [l1Readers, l2Readers].map((makers) => makers.map((make) => make(bridge, deps)));
      const made = settlers.map((make) => make(bridge, deps));
      return bridgeJob(bridge, { l1: l1 ?? [], l2: l2 ?? [] }, made, chainOf);
    }),
    ...networksOf(pools).map(({ side, ofNetwork }) => {
      const readers = poolReaders.map((make) => make(ofNetwork, deps));
      const made = poolSettlers.map((make) => make(ofNetwork, deps));
      return poolsJob(ofNetwork, side, readers, made, chainOf);
    }),
  ];
  const [store, leases] = [createSqlIndexStore(database, newId, factKinds), createSqlLeaseStore(database)];
  const { maxBlockRange, pollSeconds } = config.indexer;
  const indexing: IndexDeps = {
    ...{ store, clock, slices: timeSlices, gate: createReadGate(rangesAtOnce) },
    ...{ maxBlockRange, pollMs: pollSeconds * 1_000 },
    watchOf: ({ streamId }) => meteredWatch(createLoggedWatch({ log, clock }, streamId), instruments, clock, streamId),
    onSettlerError: (settler, error) => log.error('bridge.settling-failed', { settler, ...errorPlace(error) }),
  };
  const leaderships = jobs.map((job) => {
    const leadership = runWhileLeader({
      ...{ leases, name: job.name, holder: nodeId, clock },
      work: (lease, signal) => runIndexJob(indexing, job, lease, signal),
      onError: (error) => log.error('bridge.indexing-failed', { job: job.name, ...errorPlace(error) }),
    });
    return meteredLeadership(leadership, instruments?.leader, job.name);
  });
  return async () => {
    await Promise.all(leaderships.map(({ stop }) => stop()));
  };
}

function networksOf(pools: readonly SwapPool[]) {
  const groups = Map.groupBy(pools, ({ side }) => `${side.dlt}/${side.networkId}`);
  return [...groups.values()].flatMap((ofNetwork) =>
    ofNetwork[0] === undefined ? [] : [{ side: ofNetwork[0].side, ofNetwork }],
  );
}
