/** What logs of a range of blocks tell, ready to be stored. Each kind is defined by the room that makes it. */

import type { DepositFact, RelayFact } from './deposit-facts.ts';
import type { SwapFact } from './swap-facts.ts';
import type { TokenPairFact } from './token-pair-facts.ts';
import type { FinalizationFact, GameFact, ProofFact, WithdrawalFact } from './withdrawal-facts.ts';

export type RangeFacts = {
  /** Of the bridge's L1. */
  readonly deposits: readonly DepositFact[];
  /** Of the bridge's L2: what its messenger did with messages of deposits. */
  readonly relays: readonly RelayFact[];
  /** Of the bridge's L2. */
  readonly withdrawals: readonly WithdrawalFact[];
  /** Of the bridge's L1. */
  readonly games: readonly GameFact[];
  readonly proofs: readonly ProofFact[];
  readonly finalizations: readonly FinalizationFact[];
  /** Of a network with pools. */
  readonly swaps: readonly SwapFact[];
  /** Of the bridge's L2. */
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
