/** What is read of logs about withdrawals, on L2 and on L1. */

import type { Address, Hex } from 'viem';
import type { LogPlace } from '../chain/log-place.ts';
import type { ReadWithdrawal } from '../decoding/withdrawal-log.ts';

/** `MessagePassed` of the message passer on L2. */
export type WithdrawalFact = LogPlace & {
  readonly withdrawal: ReadWithdrawal;
  /** Of the L2 transaction: whoever uses its nonce for another one takes the withdrawal back for good. */
  readonly transaction: { readonly from: string; readonly nonce: number };
};

/** `WithdrawalProvenExtension1` of the portal: who proved it. The latest proof of a submitter counts. */
export type ProofFact = LogPlace & { readonly withdrawalHash: Hex; readonly submitter: Address };

/** `WithdrawalFinalized` of the portal. */
export type FinalizationFact = LogPlace & { readonly withdrawalHash: Hex; readonly isSuccess: boolean };

/** `DisputeGameCreated` of the factory, with the L2 block that the game is about, which the game itself tells. */
export type GameFact = LogPlace & {
  readonly game: Address;
  readonly gameType: number;
  readonly rootClaim: Hex;
  readonly l2BlockNumber: number;
};
