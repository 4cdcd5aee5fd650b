/** Opens bridges: what users see of deposits, withdrawals and swaps, and the leader that follows the chains. */

import { maxWallets } from '../access/wallets/link-wallet.ts';
import type { Bridge, SwapPool } from '../bridge/bridge.ts';
import type { WalletsOf } from '../bridge/bridge-wallet.ts';
import { configuredBridges, configuredPools } from '../bridge/configured-bridges.ts';
import type { Config } from '../config/config.ts';
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
  { storage, ledgers, wallets }: Rooms,
): OpenBridge {
  const { network } = ledgers.networks;
  const [bridges, pools] = [configuredBridges(config.bridges, network), configuredPools(config.swaps, network)];
  const running = new AsyncDisposableStack();
  const startIndexing = async () => {
    const indexing = await import('./bridge-indexing.ts');
    return indexing.startIndexing({ bridges, pools }, surroundings, storage.database);
  };

  return {
    ...{ bridges, pools },
    walletsOf: async (userId) => (await wallets.store.list(userId, { limit: maxWallets })).records,
    part: part({
      start() {
        if (bridges.length === 0 && pools.length === 0) return;
        const indexing = startIndexing();
        running.defer(async () => (await indexing)());
      },
      close: () => running.disposeAsync(),
    }),
  };
}
