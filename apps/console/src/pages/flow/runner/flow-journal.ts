/** What must outlive a reload of a session that is walked through: kept in this tab until it is answered (contract/sessions#idempotency). Secrets are not in it. */
import type { FlowRunRecord } from '@flowgate/client/flow';
import type { PaymentReceipt } from '@flowgate/client/flow-wire';

const recordName = (sessionId: string): string => `flowgate.run.${sessionId}`;
const receiptName = (sessionId: string): string => `flowgate.receipt.${sessionId}`;

export function keptRecord(sessionId: string): FlowRunRecord | undefined {
  const record = parsed<FlowRunRecord>(recordName(sessionId));
  return record?.sessionId === sessionId ? record : undefined;
}

/** Throws when the tab has no room: then nothing is sent. */
export function keepRecord(sessionId: string, record: FlowRunRecord | undefined): void {
  if (record === undefined) sessionStorage.removeItem(recordName(sessionId));
  else sessionStorage.setItem(recordName(sessionId), JSON.stringify(record));
}

/** The gateway tells a receipt once, in the answer to what was paid for. */
export const keptReceipt = (sessionId: string) => parsed<PaymentReceipt>(receiptName(sessionId));
export const keepReceipt = (sessionId: string, receipt: PaymentReceipt): void =>
  sessionStorage.setItem(receiptName(sessionId), JSON.stringify(receipt));

function parsed<T>(name: string): T | undefined {
  try {
    const text = sessionStorage.getItem(name);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
