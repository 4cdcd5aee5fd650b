/** Opens bridges: what users see of deposits, withdrawals and swaps, and the leader that follows the chains. */

import { createTypeIds } from '@flowgate/base/ids';
import { maxWallets } from '../access/wallets/link-wallet.ts';
import type { Bridge, BridgeSide, SwapPool } from '../bridge/bridge.ts';
import { bridgeRoutes } from '../bridge/bridge-routes.ts';
import type { WalletsOf } from '../bridge/bridge-wallet.ts';
import { createChainReader } from '../bridge/chain/chain-reader.ts';
import { configuredBridges, configuredPools } from '../bridge/configured-bridges.ts';
import { depositRoutes } from '../bridge/deposits/deposit-routes.ts';
import { createLook } from '../bridge/deposits/look-at-stalled.ts';
import { historyRoutes } from '../bridge/history/history-routes.ts';
import { indexerRoutes } from '../bridge/indexing/indexer-routes.ts';
import { replayRoutes } from '../bridge/prepared/replay-routes.ts';
import { transferRoutes } from '../bridge/prepared/transfer-routes.ts';
import { withdrawalRoutes } from '../bridge/withdrawals/withdrawal-routes.ts';
import type { Config } from '../config/config.ts';
import { createTokenFacts } from '../ledgers/contract-calls/token-facts.ts';
import { createSqlDepositStore } from '../stores/sql/bridge/deposit-store.ts';
import { factKinds } from '../stores/sql/bridge/fact-kinds.ts';
import { createSqlHistoryStore } from '../stores/sql/bridge/history-store.ts';
import { createSqlIndexStore } from '../stores/sql/bridge/index-store.ts';
import { createSqlTokenStore } from '../stores/sql/bridge/token-store.ts';
import { createSqlWithdrawalStore } from '../stores/sql/bridge/withdrawal-store.ts';
import { openContractWatch } from './bridge-checks.ts';
import type { OpenFirewall } from './firewall.ts';
import type { Ledgers } from './ledgers.ts';
import { type Part, part } from './part.ts';
import type { Storage } from './storage.ts';
import type { Surroundings } from './surroundings.ts';
import type { Wallets } from './wallets.ts';

type Rooms = {
  readonly storage: Storage;
  readonly ledgers: Ledgers;
  readonly wallets: Wallets;
  readonly firewall: OpenFirewall;
};

export type OpenBridge = {
  readonly bridges: readonly Bridge[];
  readonly pools: readonly SwapPool[];
  readonly walletsOf: WalletsOf;
  readonly part: Part;
};

export function openBridge(
  config: Config,
  surroundings: Surroundings,
  { storage, ledgers, wallets, firewall: { firewall } }: Rooms,
): OpenBridge {
  const networkOf = ledgers.networks.network;
  const [bridges, pools] = [configuredBridges(config.bridges, networkOf), configuredPools(config.swaps, networkOf)];
  const running = new AsyncDisposableStack();
  const startIndexing = async () => {
    const indexing = await import('./bridge-indexing.ts');
    return indexing.startIndexing(config, { bridges, pools }, surroundings, storage.database);
  };

  const { database } = storage;
  const { clock, randomBytes, timeSlices } = surroundings;
  const walletsOf: WalletsOf = async (userId) => (await wallets.store.list(userId, { limit: maxWallets })).records;
  const [tokens, deposits] = [createSqlTokenStore(database), createSqlDepositStore(database)];
  const withdrawals = createSqlWithdrawalStore(database);
  const chainOf = ({ network }: BridgeSide) => createChainReader(network, timeSlices);
  const watch = openContractWatch({ bridges, pools, chainOf }, surroundings);
  const tokenFacts = createTokenFacts(surroundings);
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
    part: part({
      routes: [
        ...bridgeRoutes({ bridges, tokens, firewall }),
        ...historyRoutes({ store: createSqlHistoryStore(database), tokens, walletsOf, places: { bridges, pools } }),
        ...depositRoutes({ ...reading, store: deposits, look: createLook({ bridges, store: deposits, chainOf }) }),
        ...indexerRoutes({
          ...reading,
          pools,
          store: index,
          nodeId: surroundings.nodeId,
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
