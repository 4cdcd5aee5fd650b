/** What is read of logs about deposits, on L1 and on L2. */

import type { Hex } from 'viem';
import type { LogPlace } from '../chain/log-place.ts';
import type { ReadDeposit } from '../decoding/deposit-log.ts';

/** `TransactionDeposited` of the portal. */
export type DepositFact = LogPlace & {
  readonly deposit: ReadDeposit;
  /** Of the L1 transaction: whoever uses its nonce for another one takes the deposit back for good. */
  readonly transaction: { readonly from: string; readonly nonce: number };
};

/** `RelayedMessage` or `FailedRelayedMessage` of the messenger on L2. A message may fail, and be relayed later. */
export type RelayFact = LogPlace & { readonly messageHash: Hex; readonly isRelayed: boolean };
