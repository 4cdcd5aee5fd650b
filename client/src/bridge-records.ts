/** What deposits, withdrawals and entries of the history have in common when they are received. */

import { hasMembers } from './has-members.ts';

export function isPlace(value: unknown): boolean {
  return hasMembers(value, { dlt: 'string', networkId: 'string' });
}

export function isBridgeToken(value: unknown): boolean {
  const texts = { l1: 'string', l2: 'string', address: 'string', symbol: 'string' } as const;
  return hasMembers(value, { native: 'boolean' }, { ...texts, decimals: 'number' });
}

/** Which deposits, or which withdrawals, a list holds. */
export type TransferFilter<Status extends string> = {
  /** In this one, or in any of several. */
  readonly status?: Status | readonly Status[];
  readonly bridgeId?: string;
  /** Only what this linked wallet sent or receives. */
  readonly wallet?: string;
  /** Only those that this transaction is a part of, on either chain. */
  readonly transactionHash?: string;
  /** Only those after this time, with a zone. */
  readonly after?: string;
  /** Only those before this time, with a zone. */
  readonly before?: string;
};

/** Of deposits and of withdrawals. */
const transferTexts = {
  bridgeId: 'string',
  kind: 'string',
  status: 'string',
  amount: 'string',
  from: 'string',
  to: 'string',
  l2TransactionHash: 'string',
  createdAt: 'string',
  updatedAt: 'string',
  statusChangedAt: 'string',
} as const;

type Members = Parameters<typeof hasMembers>[1];

/** With these members beside those that both have. */
export function isTransfer(value: unknown, own: Members, optional: Members): boolean {
  return (
    hasMembers(value, { ...transferTexts, ...own }, { ...optional, staleSince: 'string' }) &&
    isPlace(value['source']) &&
    isPlace(value['destination']) &&
    isBridgeToken(value['token'])
  );
}
