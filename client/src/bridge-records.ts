/** What deposits, withdrawals and entries of the history have in common when they are received. */

import { hasMembers } from './has-members.ts';

export function isPlace(value: unknown): boolean {
  return hasMembers(value, { dlt: 'string', networkId: 'string' });
}

export function isBridgeToken(value: unknown): boolean {
  const texts = { l1: 'string', l2: 'string', address: 'string', symbol: 'string' } as const;
  return hasMembers(value, { native: 'boolean' }, { ...texts, decimals: 'number' });
}
