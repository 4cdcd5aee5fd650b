/** The table of payments. */

import { integer, json, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { PaymentRecord } from './payment-store.ts';

export const paymentsTable = table('flow_payments', 'paymentId', {
  paymentId: text('payment_id'),
  sessionId: text('session_id'),
  stepId: text('step_id'),
  stateVersion: integer('state_version'),
  status: text<PaymentRecord['status']>('status'),
  holder: text('holder'),
  requirement: json<PaymentRecord['requirement']>('requirements'),
  /** The terms by which the payment is found on its chain, without its signature. */
  terms: optional(json<NonNullable<PaymentRecord['terms']>>('terms')),
  fromBlock: optional(integer('from_block')),
  receipt: optional(json<NonNullable<PaymentRecord['receipt']>>('receipt')),
  createdAtMs: timeMs('created_at'),
  updatedAtMs: timeMs('updated_at'),
});
