/** The tables of linked wallets and their challenges. */

import { integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { WalletKind } from './wallet-store.ts';

export const walletsTable = table('wallets', 'walletId', {
  walletId: text('wallet_id'),
  userId: text('user_id'),
  address: text('address'),
  kind: text<WalletKind>('kind'),
  label: optional(text('label')),
  chainId: integer('chain_id'),
  createdAtMs: timeMs('created_at'),
});

export const walletChallengesTable = table('wallet_challenges', 'nonce', {
  nonce: text('nonce'),
  userId: text('user_id'),
  address: text('address'),
  chainId: integer('chain_id'),
  createdAtMs: timeMs('created_at'),
  expiresAtMs: timeMs('expires_at'),
  spentAtMs: optional(timeMs('spent_at')),
});
