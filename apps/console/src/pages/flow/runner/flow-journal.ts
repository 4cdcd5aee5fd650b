/** Session data that must survive a reload, stored in this tab until the submission is answered (contract/sessions#idempotency). Contains no secrets. */
import type { FlowRunRecord } from '@flowgate/client/flow';
import type { PaymentReceipt } from '@flowgate/client/flow-wire';

const recordName = (sessionId: string): string => `flowgate.run.${sessionId}`;
const receiptName = (sessionId: string): string => `flowgate.receipt.${sessionId}`;

export function storedRecord(sessionId: string): FlowRunRecord | undefined {
  const record = parsed<FlowRunRecord>(recordName(sessionId));
  return record?.sessionId === sessionId ? record : undefined;
}

/** Throws when the tab's storage is full; nothing is sent then. */
export function keepRecord(sessionId: string, record: FlowRunRecord | undefined): void {
  if (record === undefined) sessionStorage.removeItem(recordName(sessionId));
  else sessionStorage.setItem(recordName(sessionId), JSON.stringify(record));
}

/** The gateway returns a receipt only once, in the response to the paid submission. */
export const storedReceipt = (sessionId: string) => parsed<PaymentReceipt>(receiptName(sessionId));
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
