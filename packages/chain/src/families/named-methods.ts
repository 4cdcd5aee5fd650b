/** The methods of a ledger family that are counted under their own names. The list is closed, because callers may invent any other name. */

import type { LedgerFamily } from './ledger-family.ts';

/** Methods that are neither reads nor blocked. */
const evmWrites = [
  ...['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'eth_sendRawTransactionConditional'],
  ...['eth_sendPrivateTransaction', 'eth_cancelPrivateTransaction', 'eth_sendBundle', 'eth_sendUserOperation'],
  ...['eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter', 'eth_uninstallFilter'],
  ...['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_subscribe', 'eth_unsubscribe', 'eth_accounts'],
];

export function namedMethods({ name, methods, reads }: LedgerFamily): ReadonlySet<string> {
  const listed = 'allowed' in methods ? [...methods.allowed, ...methods.heavy] : [];
  return new Set([...reads, ...listed, ...(name === 'evm' ? evmWrites : [])]);
}
