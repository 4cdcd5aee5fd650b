/** Deposits, swaps and withdrawals of linked wallets in one list (contract/history). */

import { isBridgeToken } from './bridge-records.ts';
import { hasMembers } from './has-members.ts';
import { createPaged, type Paged } from './paged.ts';
import type { Send } from './transport.ts';
import type { HistoryEntry } from './wire.ts';

export type HistoryFilter = {
  readonly type?: HistoryEntry['type'];
  /** Only what this linked wallet sent or receives. */
  readonly wallet?: string;
  /** Only entries after this time, with a zone. */
  readonly after?: string;
  /** Only entries before this time, with a zone. */
  readonly before?: string;
};

/** Newest first. */
export type History = Paged<HistoryEntry, HistoryFilter>;

export function createHistory(send: Send): History {
  return createPaged<HistoryEntry, HistoryFilter>(send, '/users/me/history', isHistoryEntry);
}

const texts = {
  type: 'string',
  id: 'string',
  status: 'string',
  createdAt: 'string',
  dlt: 'string',
  networkId: 'string',
  wallet: 'string',
} as const;

function isHistoryEntry(value: unknown): value is HistoryEntry {
  if (!hasMembers(value, { ...texts, transactions: 'objects' }, { sent: 'object', received: 'object' })) return false;
  const { sent, received, transactions } = value;
  return (
    Array.isArray(transactions) &&
    transactions.every((each) =>
      hasMembers(each, { dlt: 'string', networkId: 'string', hash: 'string', purpose: 'string' }),
    ) &&
    [sent, received].every((moved) => moved === undefined || isMoved(moved))
  );
}

function isMoved(value: unknown): boolean {
  return hasMembers(value, { amount: 'string' }) && isBridgeToken(value['token']);
}
