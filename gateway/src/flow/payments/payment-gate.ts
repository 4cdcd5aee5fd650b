/** What stands between a paid step and its app: the payment is asked for, verified, settled and its receipt kept, before the app is called. */

import type { PaymentReceipt } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../api/route.ts';
import type { SessionRecord } from '../sessions/session.ts';

export type PaidSubmission = {
  /** Its `step.payment` says what is asked. The caller holds the session's lease. */
  readonly session: SessionRecord;
  readonly header: (name: string) => string | null;
  /**
   * Whether the session is still the caller's, asked before anything is taken: a gateway that stood still must not take money for a session that was cancelled, or for a step
   * that is done. May throw `Unavailable`.
   */
  readonly isOurs: () => Promise<boolean>;
};

export type Paid = {
  readonly ok: true;
  /** Absent when the step costs nothing. */
  readonly receipt?: PaymentReceipt;
  /** For the answer: the receipt as x402 clients read it. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Never settles one step twice, whatever is repeated. Throws `Unavailable` when the storage is away; then nothing was settled, or what was settled is on record. */
export type PaymentGate = (submission: PaidSubmission) => Promise<Paid | RouteRefusal>;
