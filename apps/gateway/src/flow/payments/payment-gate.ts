/** The payment gate in front of a paid step: before the app is called, the payment is asked for, verified and settled, and its receipt is stored. */

import type { JsonObject } from '@flowgate/json/json-object';
import type { PaymentReceipt } from '../../api/problem-wire.ts';
import type { RouteRefusal } from '../../api/route.ts';
import type { PaidStep } from './payment-store.ts';

/** A session at the step that is submitted; `step.payment` says what is asked for it. */
export type PayableSession = Pick<PaidStep, 'sessionId' | 'stateVersion'> & {
  readonly step: { readonly stepId: string; readonly payment?: JsonObject };
};

export type PaidSubmission = {
  /** The caller holds the session's lease. */
  readonly session: PayableSession;
  readonly header: (name: string) => string | null;
  /**
   * Returns the refusal when the caller has lost the lease. Asked before anything is charged: a gateway that was suspended must not take money for a session that was cancelled meanwhile,
   * or for a step that was submitted meanwhile. May throw `Unavailable`.
   */
  readonly takenOver: () => Promise<RouteRefusal | undefined>;
};

export type Paid = {
  readonly ok: true;
  /** Absent when the step costs nothing. */
  readonly receipt?: PaymentReceipt;
  /** For the response: the receipt as x402 clients read it. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Both methods throw `Unavailable` when the storage is unavailable; then either nothing was settled, or the storage has a record of what was settled. */
export type PaymentGate = {
  /** Never settles a step twice, even when requests are repeated. */
  readonly pay: (submission: PaidSubmission) => Promise<Paid | RouteRefusal>;

  /**
   * Returns the receipt of a payment that was settled for this step. When a settlement began and its outcome is not on record, the payment is looked for on the chain. Charges nothing.
   * `undefined`: nothing was settled, or the outcome is not known yet.
   */
  readonly findReceipt: (step: PaidStep) => Promise<Paid | undefined>;
};
