/** Transactions that the gateway prepares and a wallet signs (contract/conventions#prepared-transactions). */

import { askFor } from './ask-for.ts';
import { hasMembers, isObject } from './has-members.ts';
import type { CallOptions, Send } from './transport.ts';
import type { PreparedTransactions } from './wire.ts';

/** Preparing changes nothing, so it may be repeated. */
export function prepared(send: Send, path: string, body: unknown, options: CallOptions): Promise<PreparedTransactions> {
  return askFor(send, arePrepared, { method: 'POST', path, body, repeatable: true, options });
}

const texts = {
  from: 'string',
  to: 'string',
  data: 'string',
  value: 'string',
  gas: 'string',
  description: 'string',
} as const;

function arePrepared(value: unknown): value is PreparedTransactions {
  const { transactions } = isObject(value) ? value : {};
  return Array.isArray(transactions) && transactions.every((each) => hasMembers(each, { ...texts, chainId: 'number' }));
}
