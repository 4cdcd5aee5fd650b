/** The storage for payments. Every engine passes `flow/payments/payment-store.contract.ts`. */

import type { PaymentReceipt } from '../../api/problem-wire.ts';

/** The step that is paid for. */
export type PaidStep = { readonly sessionId: string; readonly stateVersion: number; readonly stepId: string };

/** The requirement that a payment fulfils, in the gateway's form. */
export type PaidRequirement = {
  readonly scheme: string;
  /** As it was offered: CAIP-2, or a network name of version 1. */
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
};

/** What identifies an EIP-3009 authorisation on its chain. Contains no signature. */
export type PaymentTerms = {
  readonly payer: string;
  /** 32 bytes, hex. */
  readonly nonce: string;
  /** Seconds since the epoch, decimal; from then on it cannot be executed. */
  readonly validBefore: string;
};

/** `reserved`: nothing was settled. `settling`: it may have been settled. `settled`: it was, and there is a receipt. */
export type PaymentStatus = 'reserved' | 'settling' | 'settled';

export type PaymentRecord = PaidStep & {
  readonly paymentId: string;
  readonly status: PaymentStatus;
  /** The attempt that may settle the payment or give it up; unique to the attempt. */
  readonly holder: string;
  readonly requirement: PaidRequirement;
  readonly terms?: PaymentTerms;
  /** A block before the settlement, if the chain could be asked. */
  readonly fromBlock?: number;
  readonly receipt?: PaymentReceipt;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type Reservation =
  /** Held by this attempt from now on, in whatever status it was. */
  | { readonly kind: 'acquired'; readonly record: PaymentRecord }
  /** The payment is reserved, being settled or settled for another step. */
  | { readonly kind: 'elsewhere' }
  /** Another payment for this step is being settled or was, or an attempt reserved it just now. */
  | { readonly kind: 'occupied'; readonly record: PaymentRecord };

/**
 * Ensures that a step has at most one payment and a payment at most one step, also under concurrency. Every method throws `Unavailable` when the storage does not answer in time; the
 * operation may have been done or not.
 */
export type PaymentStore = {
  find(step: PaidStep): Promise<PaymentRecord | undefined>;

  /** Takes over the payment from an earlier attempt on the same step, and the step from another payment that is only reserved. An attempt that threw `Unavailable` leaves nothing reserved. */
  reserve(
    payment: Omit<PaymentRecord, 'status' | 'fromBlock' | 'receipt' | 'createdAtMs' | 'updatedAtMs'>,
    nowMs: number,
  ): Promise<Reservation>;

  /**
   * Stores the receipt. Needs no holder, since a settlement is a fact, no matter which attempt reports it. `false` when there is no such payment. Repeating it changes nothing: the first
   * receipt stays.
   */
  beginSettling(paymentId: string, holder: string, fromBlock: number | undefined, nowMs: number): Promise<boolean>;

  /** Stores the receipt. Needs no holder, since a settlement is a fact whoever reports it. `false` when there is no such payment. Repeating it changes nothing: the first receipt stays. */
  settled(paymentId: string, receipt: PaymentReceipt, nowMs: number): Promise<boolean>;

  /** Removes a payment of which nothing was taken, if this attempt still holds it. */
  release(paymentId: string, holder: string): Promise<void>;
};
