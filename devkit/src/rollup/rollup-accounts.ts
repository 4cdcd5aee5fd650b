/** Who does what on the local rollup: anvil's well-known accounts. The first ones stay free for people. */
import { devAccount } from '../dev-token.ts';

export const rollupAccounts = {
  /** Deploys everything, and owns what has an owner. */
  deployer: devAccount(9),
  /** May pause the portal and blacklist games. */
  guardian: devAccount(8),
  /** Posts state roots. */
  proposer: devAccount(7),
  /** Disputes them when told to. */
  challenger: devAccount(6),
} as const;

/** Accounts for people: with ether on both chains and the token on L1. */
export const peoplesAccounts = [0, 1, 2, 3, 4, 5].map((index) => devAccount(index));
