/** The payment gate in front of a paid step: before the app is called, the payment is asked for, verified and settled, and its receipt is stored. */

import type { PaymentReceipt, StepSpec } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../api/route.ts';
import type { PaidStep } from './payment-store.ts';

/** A session at the step that is submitted; `step.payment` says what is asked for it. */
export type PayableSession = Pick<PaidStep, 'sessionId' | 'stateVersion'> & {
  readonly step: Pick<StepSpec, 'stepId' | 'payment'>;
};

export type PaidSubmission = {
  /** The caller holds its lease. */
  readonly session: PayableSession;
  readonly header: (name: string) => string | null;
  /**
   * The refusal when the lease is the caller's no longer, asked before anything is taken: a gateway that was suspended must not take money for a session that was cancelled since, or for a
   * step that was submitted since. May throw `Unavailable`.
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

/** Both throw `Unavailable` when the storage is unavailable; then nothing was settled, or what was settled is on record. */
export type PaymentGate = {
  /** Never settles one step twice, whatever is repeated. */
  readonly pay: (submission: PaidSubmission) => Promise<Paid | RouteRefusal>;

  /**
   * The receipt of a payment that was settled for this step. It is looked for on the chain when a settlement began and its outcome is not on record. Takes nothing. `undefined`: nothing was
   * settled, or that is not known yet.
   */
  readonly findReceipt: (step: PaidStep) => Promise<Paid | undefined>;
};
