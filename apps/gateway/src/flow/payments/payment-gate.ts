/** The payment gate before a paid step: it requires a payment, verifies and settles it, and stores the receipt before the app is called. */

import type { JsonObject } from '@flowgate/json/json-object';
import type { PaymentReceipt } from '../../api/problem-wire.ts';
import type { RouteRefusal } from '../../api/route.ts';
import type { PaidStep } from './payment-store.ts';

/** A session at the submitted step; `step.payment` lists the accepted payments. */
export type PayableSession = Pick<PaidStep, 'sessionId' | 'stateVersion'> & {
  readonly step: { readonly stepId: string; readonly payment?: JsonObject };
};

export type PaidSubmission = {
  /** The caller owns the session's lease. */
  readonly session: PayableSession;
  readonly header: (name: string) => string | null;
  /**
   * Returns the refusal if the caller has lost the lease. Called before any charge: a gateway that was suspended must not take money for a session that was cancelled, or for a
   * step that was submitted, in the meantime. May throw `Unavailable`.
   */
  readonly takenOver: () => Promise<RouteRefusal | undefined>;
};

export type Paid = {
  readonly ok: true;
  /** Absent if the step is free. */
  readonly receipt?: PaymentReceipt;
  /** Headers of the response: the receipt in the form of x402. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Both methods throw `Unavailable` if the storage is unavailable. Then either nothing was settled, or the storage has a record of the settlement. */
export type PaymentGate = {
  /** Never settles a step twice, even if requests are repeated. */
  readonly pay: (submission: PaidSubmission) => Promise<Paid | RouteRefusal>;

  /**
   * Returns the receipt of a payment that was settled for this step. If a settlement began without a recorded outcome, the gateway searches the chain for the payment. Charges
   * nothing. `undefined`: nothing was settled, or the outcome is still unknown.
   */
  readonly findReceipt: (step: PaidStep) => Promise<Paid | undefined>;
};
