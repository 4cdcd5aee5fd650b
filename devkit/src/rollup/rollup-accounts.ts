/** The roles on the local rollup and anvil's public accounts for them. The first accounts remain free for users. */
import { devAccount } from '../dev-token.ts';

export const rollupAccounts = {
  /** Deploys all contracts, and owns those with an owner. */
  deployer: devAccount(9),
  /** May pause the portal and blacklist games. */
  guardian: devAccount(8),
  /** Posts state roots. */
  proposer: devAccount(7),
  /** Disputes state roots on request. */
  challenger: devAccount(6),
} as const;

/** Accounts for users: with ether on both chains and the token on L1. */
export const peoplesAccounts = [0, 1, 2, 3, 4, 5].map((index) => devAccount(index));
