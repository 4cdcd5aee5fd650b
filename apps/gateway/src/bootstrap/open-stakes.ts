/** Opens positions in staking contracts. */

import type { Config } from '../config/config.ts';
import { createTokenFacts } from '../prepared/token-facts.ts';
import { stakeRoutes } from '../resources/stakes/stake-routes.ts';
import { stakingContracts } from '../resources/stakes/staking-contract.ts';
import { maxWallets } from '../wallets/link-wallet.ts';
import type { OpenFirewall } from './open-firewall.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Wallets } from './open-wallets.ts';
import type { Runtime } from './runtime.ts';

type Modules = { readonly ledgers: Ledgers; readonly wallets: Wallets; readonly firewall: OpenFirewall };

export function openStakes(config: Config, { clock }: Runtime, modules: Modules): { readonly hooks: ModuleHooks } {
  const { networks } = modules.ledgers;
  return {
    hooks: moduleHooks({
      routes: stakeRoutes({
        contracts: stakingContracts(config.networks, networks.network),
        firewall: modules.firewall.firewall,
        walletsOf: async (userId) => (await modules.wallets.store.list(userId, { limit: maxWallets })).records,
        tokenFacts: createTokenFacts({ clock }),
        clock,
      }),
    }),
  };
}
