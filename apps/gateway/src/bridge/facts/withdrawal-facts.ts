/** Facts about withdrawals that are read from logs, on L2 and on L1. */

import type { Address, Hex } from 'viem';
import type { LogPlace } from '../chain/log-place.ts';
import type { ReadWithdrawal } from '../decoding/withdrawal-log.ts';

/** `MessagePassed` of the message passer on L2. */
export type WithdrawalFact = LogPlace & {
  readonly withdrawal: ReadWithdrawal;
  /** The sender of the L2 transaction and its nonce. When another transaction uses the nonce, the withdrawal can never be mined again. */
  readonly transaction: { readonly from: string; readonly nonce: number };
};

/** `WithdrawalProvenExtension1` of the portal, with the submitter of the proof. The latest proof of a submitter counts. */
export type ProofFact = LogPlace & { readonly withdrawalHash: Hex; readonly submitter: Address };

/** `WithdrawalFinalized` of the portal. */
export type FinalizationFact = LogPlace & { readonly withdrawalHash: Hex; readonly isSuccess: boolean };

/** `DisputeGameCreated` of the factory, with the L2 block of the game, which is read from the game. */
export type GameFact = LogPlace & {
  readonly game: Address;
  readonly gameType: number;
  readonly rootClaim: Hex;
  readonly l2BlockNumber: number;
};
