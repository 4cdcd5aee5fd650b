/** Payments in SQL. `flow/payments/payment-store.ts` states the guarantees; the two unique keys of the table enforce them. */

import type { Database, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { PaidStep, PaymentRecord, PaymentStore } from './payment-store.ts';
import { paymentsTable } from './payment-table.ts';

const payments = selection(paymentsTable);

export function createSqlPaymentStore(database: Database): PaymentStore {
  return {
    async find(step) {
      const { text, values } = sql`SELECT ${payments.list} FROM flow_payments WHERE ${onStep(step)}`;
      const [row] = await database.query(text, values);
      return row === undefined ? undefined : payments.read(row);
    },

    async reserve(payment, nowMs) {
      const { paymentId, holder } = payment;
      const [, , , rows = []] = await database.transaction(
        [
          sql`DELETE FROM flow_payments WHERE ${onStep(payment)} AND payment_id <> ${paymentId} AND status = 'reserved'`,
          insertion(payment, nowMs),
          sql`UPDATE flow_payments SET holder = ${holder}, updated_at = ${nowMs}
            WHERE payment_id = ${paymentId} AND ${onStep(payment)} AND status <> 'settled'`,
          sql`SELECT ${payments.list} FROM flow_payments WHERE payment_id = ${paymentId} OR (${onStep(payment)})`,
        ],
        // Otherwise the payment could not be used for another step.
        { undo: [sql`DELETE FROM flow_payments WHERE ${ofHolder(paymentId, holder)} AND status = 'reserved'`] },
      );
      const records = rows.map(payments.read);
      const own = records.find((record) => record.paymentId === paymentId);
      if (own !== undefined) return isOn(own, payment) ? { kind: 'acquired', record: own } : { kind: 'elsewhere' };
      const [record] = records;
      // The other payment has been removed in the meantime. The outcome is the same as if it had been seen.
      return record === undefined ? { kind: 'elsewhere' } : { kind: 'occupied', record };
    },

    beginSettling: (paymentId, holder, fromBlock, nowMs) =>
      changed(
        database,
        sql`UPDATE flow_payments SET status = 'settling', from_block = ${fromBlock ?? null}, updated_at = ${nowMs}
          WHERE ${ofHolder(paymentId, holder)} AND status = 'reserved' RETURNING payment_id`,
        // After `Unavailable` the caller settles nothing. If the payment remained `settling`, the step would wait until it expires, although it was never sent.
        sql`UPDATE flow_payments SET status = 'reserved', from_block = NULL
          WHERE ${ofHolder(paymentId, holder)} AND status = 'settling'`,
      ),

    settled: (paymentId, receipt, nowMs) =>
      changed(
        database,
        sql`UPDATE flow_payments SET status = 'settled', receipt = COALESCE(receipt, ${JSON.stringify(receipt)}),
            updated_at = CASE WHEN status = 'settled' THEN updated_at ELSE ${nowMs} END
          WHERE payment_id = ${paymentId} RETURNING payment_id`,
      ),

    async release(paymentId, holder) {
      await database.transaction([
        sql`DELETE FROM flow_payments WHERE ${ofHolder(paymentId, holder)} AND status <> 'settled'`,
      ]);
    },
  };
}

async function changed(database: Database, statement: Statement, undo?: Statement): Promise<boolean> {
  const [rows = []] = await database.transaction([statement], undo === undefined ? {} : { undo: [undo] });
  return rows.length === 1;
}

/** A condition that is false after a later attempt has taken over the payment. */
function ofHolder(paymentId: string, holder: string): Fragment {
  return sql`payment_id = ${paymentId} AND holder = ${holder}`;
}

function onStep({ sessionId, stateVersion, stepId }: PaidStep): Fragment {
  return sql`session_id = ${sessionId} AND state_version = ${stateVersion} AND step_id = ${stepId}`;
}

function isOn(record: PaymentRecord, { sessionId, stateVersion, stepId }: PaidStep): boolean {
  return record.sessionId === sessionId && record.stateVersion === stateVersion && record.stepId === stepId;
}

/** Inserts nothing if the payment or the step is already reserved. */
function insertion(payment: Parameters<PaymentStore['reserve']>[0], nowMs: number): Statement {
  const record = { ...payment, status: 'reserved', createdAtMs: nowMs, updatedAtMs: nowMs } as const;
  return sql`INSERT INTO flow_payments (${payments.list}) VALUES (${payments.values(record)}) ON CONFLICT DO NOTHING`;
}
