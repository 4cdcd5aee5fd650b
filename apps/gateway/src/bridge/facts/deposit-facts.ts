/** Facts about deposits that are read from logs, on L1 and on L2. */

import type { Hex } from 'viem';
import type { LogPlace } from '../chain/log-place.ts';
import type { ReadDeposit } from '../decoding/deposit-log.ts';

/** `TransactionDeposited` of the portal. */
export type DepositFact = LogPlace & {
  readonly deposit: ReadDeposit;
  /** The sender of the L1 transaction and its nonce. When another transaction uses the nonce, the deposit can never be mined again. */
  readonly transaction: { readonly from: string; readonly nonce: number };
};

/** `RelayedMessage` or `FailedRelayedMessage` of the messenger on L2. A message that failed may be relayed later. */
export type RelayFact = LogPlace & { readonly messageHash: Hex; readonly isRelayed: boolean };
