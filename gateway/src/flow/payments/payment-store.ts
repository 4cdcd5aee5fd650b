/** What payments need from storage. Every engine passes `test/contracts/payment-store-contract.ts`. */

import type { PaymentReceipt } from '@flowgate/client/flow-wire';

/** What is paid for: one step, once. */
export type PaidStep = { readonly sessionId: string; readonly stateVersion: number; readonly stepId: string };

/** The requirement that a payment fulfils, in the gateway's words. */
export type PaidRequirement = {
  readonly scheme: string;
  /** As it was offered: CAIP-2, or a name of the protocol's first version. */
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
};

/** What finds an EIP-3009 authorisation on its chain. Holds no signature. */
export type PaymentTerms = {
  readonly payer: string;
  /** 32 bytes, hex. */
  readonly nonce: string;
  /** Seconds since the epoch, decimal; it cannot be executed from then on. */
  readonly validBefore: string;
};

/** `reserved`: nothing was settled. `settling`: it may have been. `settled`: it was, and the receipt is here. */
export type PaymentStatus = 'reserved' | 'settling' | 'settled';

export type PaymentRecord = PaidStep & {
  readonly paymentId: string;
  readonly status: PaymentStatus;
  /** The attempt that may settle it or give it up; unique to the attempt. */
  readonly holder: string;
  readonly requirement: PaidRequirement;
  readonly terms?: PaymentTerms;
  /** A block before the settlement's, when the chain could be asked. */
  readonly fromBlock?: number;
  readonly receipt?: PaymentReceipt;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type Reservation =
  /** Held by this attempt from now on, in whatever status it was. */
  | { readonly kind: 'held'; readonly record: PaymentRecord }
  /** The payment is reserved, being settled or settled for another step. */
  | { readonly kind: 'elsewhere' }
  /** Another payment for this step is being settled or was, or an attempt reserved it just now. */
  | { readonly kind: 'occupied'; readonly record: PaymentRecord };

/** A step has one payment at most and a payment one step at most, whoever tries at once. Every method throws `Unavailable` when the storage does not answer in time; then it may have been done or not. */
export type PaymentStore = {
  find(step: PaidStep): Promise<PaymentRecord | undefined>;

  /** Takes the payment over from an earlier attempt on the same step, and the step from another payment that is only reserved. Told `Unavailable` it does not stay reserved. */
  reserve(
    payment: Omit<PaymentRecord, 'status' | 'fromBlock' | 'receipt' | 'createdAtMs' | 'updatedAtMs'>,
    nowMs: number,
  ): Promise<Reservation>;

  /** From reserved to settling; `false`, and it must not be settled, when another attempt took over. Told `Unavailable` it becomes reserved again. */
  beginSettling(paymentId: string, holder: string, fromBlock: number | undefined, nowMs: number): Promise<boolean>;

  /** What was settled is true whoever says so: needs no holder. `false` when there is no such payment. Again changes nothing: the first receipt stays. */
  settled(paymentId: string, receipt: PaymentReceipt, nowMs: number): Promise<boolean>;

  /** Forgets a payment of which nothing was taken, if this attempt still holds it. */
  release(paymentId: string, holder: string): Promise<void>;
};
