/** The storage for payments. Every engine passes `flow/payments/payment-store.contract.ts`. */

import type { PaymentReceipt } from '../../api/problem-wire.ts';

/** The step that the payment is for. */
export type PaidStep = { readonly sessionId: string; readonly stateVersion: number; readonly stepId: string };

/** The requirement that a payment fulfils, in the gateway's form. */
export type PaidRequirement = {
  readonly scheme: string;
  /** As offered: CAIP-2, or a network name of version 1. */
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
};

/** The identity of an EIP-3009 authorization on its chain. Contains no signature. */
export type PaymentTerms = {
  readonly payer: string;
  /** 32 bytes, hex. */
  readonly nonce: string;
  /** Seconds since the epoch, decimal. From then on the authorization cannot be executed. */
  readonly validBefore: string;
};

/** `reserved`: nothing was settled. `settling`: it may have been settled. `settled`: it was settled, and there is a receipt. */
export type PaymentStatus = 'reserved' | 'settling' | 'settled';

export type PaymentRecord = PaidStep & {
  readonly paymentId: string;
  readonly status: PaymentStatus;
  /** The attempt that may settle or release the payment; unique to the attempt. */
  readonly holder: string;
  readonly requirement: PaidRequirement;
  readonly terms?: PaymentTerms;
  /** A block before the settlement, if the chain could be read. */
  readonly fromBlock?: number;
  readonly receipt?: PaymentReceipt;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type Reservation =
  /** This attempt is now the holder, regardless of the payment's status before. */
  | { readonly kind: 'acquired'; readonly record: PaymentRecord }
  /** The payment is reserved, being settled or settled for another step. */
  | { readonly kind: 'elsewhere' }
  /** Another payment for this step is being settled or was, or an attempt reserved it just now. */
  | { readonly kind: 'occupied'; readonly record: PaymentRecord };

/**
 * Ensures that a step has at most one payment and a payment at most one step, also under concurrency. Every method throws `Unavailable` if the storage does not answer in time;
 * the operation may then be done or not.
 */
export type PaymentStore = {
  find(step: PaidStep): Promise<PaymentRecord | undefined>;

  /** Takes over the payment from an earlier attempt on the same step, and the step from another payment that is only reserved. An attempt that threw `Unavailable` leaves no reservation. */
  reserve(
    payment: Omit<PaymentRecord, 'status' | 'fromBlock' | 'receipt' | 'createdAtMs' | 'updatedAtMs'>,
    nowMs: number,
  ): Promise<Reservation>;

  /** Changes the payment from `reserved` to `settling`, with a block before the settlement. `false` if this attempt is not its holder, or it is not `reserved`. */
  beginSettling(paymentId: string, holder: string, fromBlock: number | undefined, nowMs: number): Promise<boolean>;

  /**
   * Stores the receipt. Requires no holder, because a settlement is a fact, regardless of the attempt that reports it. `false` if there is no such payment. Repeating it changes
   * nothing: the first receipt remains.
   */
  settled(paymentId: string, receipt: PaymentReceipt, nowMs: number): Promise<boolean>;

  /** Removes a payment that was not charged, if this attempt is still its holder. */
  release(paymentId: string, holder: string): Promise<void>;
};
