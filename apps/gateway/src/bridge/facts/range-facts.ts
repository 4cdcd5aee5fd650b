/** The facts of a range of blocks, ready to be stored. Each kind is defined by the module that derives it. */

import type { DepositFact, RelayFact } from './deposit-facts.ts';
import type { SwapFact } from './swap-facts.ts';
import type { TokenPairFact } from './token-pair-facts.ts';
import type { FinalizationFact, GameFact, ProofFact, WithdrawalFact } from './withdrawal-facts.ts';

export type RangeFacts = {
  /** From the bridge's L1. */
  readonly deposits: readonly DepositFact[];
  /** From the bridge's L2: outcomes that its messenger reports for messages of deposits. */
  readonly relays: readonly RelayFact[];
  /** From the bridge's L2. */
  readonly withdrawals: readonly WithdrawalFact[];
  /** From the bridge's L1. */
  readonly games: readonly GameFact[];
  readonly proofs: readonly ProofFact[];
  readonly finalizations: readonly FinalizationFact[];
  /** From a network with pools. */
  readonly swaps: readonly SwapFact[];
  /** From the bridge's L2. */
  readonly tokenPairs: readonly TokenPairFact[];
};

export const noFacts: RangeFacts = {
  deposits: [],
  relays: [],
  withdrawals: [],
  games: [],
  proofs: [],
  finalizations: [],
  swaps: [],
  tokenPairs: [],
};
