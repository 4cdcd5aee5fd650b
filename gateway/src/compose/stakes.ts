/** Opens positions in staking contracts. */

import { maxWallets } from '../access/wallets/link-wallet.ts';
import type { Config } from '../config/config.ts';
import { createTokenFacts } from '../ledgers/contract-calls/token-facts.ts';
import { stakeRoutes } from '../ledgers/stakes/stake-routes.ts';
import { stakingContracts } from '../ledgers/stakes/staking-contract.ts';
import type { OpenFirewall } from './firewall.ts';
import type { Ledgers } from './ledgers.ts';
import { type Part, part } from './part.ts';
import type { Surroundings } from './surroundings.ts';
import type { Wallets } from './wallets.ts';

type Rooms = { readonly ledgers: Ledgers; readonly wallets: Wallets; readonly firewall: OpenFirewall };

export function openStakes(config: Config, { clock }: Surroundings, rooms: Rooms): { readonly part: Part } {
  const { networks } = rooms.ledgers;
  return {
    part: part({
      routes: stakeRoutes({
        contracts: stakingContracts(config.networks, networks.network),
        firewall: rooms.firewall.firewall,
        walletsOf: async (userId) => (await rooms.wallets.store.list(userId, { limit: maxWallets })).records,
        tokenFacts: createTokenFacts({ clock }),
        clock,
      }),
    }),
  };
}
