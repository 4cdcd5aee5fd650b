/** Opens bridges: the routes of deposits, withdrawals and swaps, and the leader that follows the chains. */

import { createTypeIds } from '@flowgate/base/ids';
import { bridgeRoutes } from '../bridge/bridge-routes.ts';
import type { Bridge, BridgeSide, SwapPool } from '../bridge/bridges/bridge.ts';
import type { WalletsOf } from '../bridge/bridges/bridge-wallet.ts';
import { configuredBridges, configuredPools } from '../bridge/bridges/configured-bridges.ts';
import { createChainReader } from '../bridge/chain/chain-reader.ts';
import { createStalledCheck } from '../bridge/deposits/check-stalled.ts';
import { depositRoutes } from '../bridge/deposits/deposit-routes.ts';
import { createSqlDepositStore } from '../bridge/deposits/sql-deposit-store.ts';
import { historyRoutes } from '../bridge/history/history-routes.ts';
import { createSqlHistoryStore } from '../bridge/history/sql-history-store.ts';
import { indexerRoutes } from '../bridge/indexing/indexer-routes.ts';
import { createSqlIndexStore } from '../bridge/indexing/sql-index-store.ts';
import { replayRoutes } from '../bridge/prepared/replay-routes.ts';
import { transferRoutes } from '../bridge/prepared/transfer-routes.ts';
import { factKinds } from '../bridge/sql-fact-kinds.ts';
import { createSqlTokenStore } from '../bridge/tokens/sql-token-store.ts';
import { createSqlWithdrawalStore } from '../bridge/withdrawals/sql-withdrawal-store.ts';
import { withdrawalRoutes } from '../bridge/withdrawals/withdrawal-routes.ts';
import type { Config } from '../config/config.ts';
import { createTokenFacts } from '../prepared/token-facts.ts';
import { maxWallets } from '../wallets/link-wallet.ts';
import { openContractWatch } from './open-contract-watch.ts';
import type { OpenFirewall } from './open-firewall.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Storage } from './open-storage.ts';
import type { Wallets } from './open-wallets.ts';
import type { Runtime } from './runtime.ts';

type Modules = {
  readonly storage: Storage;
  readonly ledgers: Ledgers;
  readonly wallets: Wallets;
  readonly firewall: OpenFirewall;
};

export type OpenBridge = {
  readonly bridges: readonly Bridge[];
  readonly pools: readonly SwapPool[];
  readonly walletsOf: WalletsOf;
  readonly hooks: ModuleHooks;
};

export function openBridge(
  config: Config,
  runtime: Runtime,
  { storage, ledgers, wallets, firewall: { firewall } }: Modules,
): OpenBridge {
  const networkOf = ledgers.networks.network;
  const [bridges, pools] = [configuredBridges(config.bridges, networkOf), configuredPools(config.swaps, networkOf)];
  const running = new AsyncDisposableStack();
  const startIndexing = async () => {
    const indexing = await import('./start-indexing.ts');
    return indexing.startIndexing(config, { bridges, pools }, runtime, storage.database);
  };

  const { database } = storage;
  const { clock, randomBytes, timeSlices } = runtime;
  const walletsOf: WalletsOf = async (userId) => (await wallets.store.list(userId, { limit: maxWallets })).records;
  const [tokens, deposits] = [createSqlTokenStore(database), createSqlDepositStore(database)];
  const withdrawals = createSqlWithdrawalStore(database);
  const chainOf = ({ network }: BridgeSide) => createChainReader(network, timeSlices);
  const watch = openContractWatch({ bridges, pools, chainOf }, runtime);
  const tokenFacts = createTokenFacts(runtime);
  const index = createSqlIndexStore(database, createTypeIds(clock, randomBytes), factKinds);
  /** Of what the lists of records need. */
  const reading = {
    ...{ bridges, walletsOf, clock },
    states: () => index.states(),
    describe: tokens.describe,
    pollMs: config.indexer.pollSeconds * 1_000,
  };

  return {
    ...{ bridges, pools, walletsOf },
    hooks: moduleHooks({
      routes: [
        ...bridgeRoutes({ bridges, tokens, firewall }),
        ...historyRoutes({ store: createSqlHistoryStore(database), tokens, walletsOf, places: { bridges, pools } }),
        ...depositRoutes({
          ...reading,
          store: deposits,
          checkStalled: createStalledCheck({ bridges, store: deposits, chainOf }),
        }),
        ...indexerRoutes({
          ...reading,
          pools,
          store: index,
          nodeId: runtime.nodeId,
          misconfigured: watch.troubleOf,
        }),
        ...transferRoutes({ bridges, walletsOf, tokens, firewall, tokenFacts }),
        ...withdrawalRoutes({ ...reading, store: withdrawals, firewall, timeSlices }),
        ...replayRoutes({ bridges, walletsOf, deposits, withdrawals, firewall, timeSlices }),
      ],
      start() {
        if (bridges.length === 0 && pools.length === 0) return;
        const indexing = startIndexing();
        running.defer(async () => (await indexing)());
        watch.start();
        running.defer(watch.stop);
      },
      close: () => running.disposeAsync(),
    }),
  };
}
