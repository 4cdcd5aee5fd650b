/** The schema of linked wallets and their challenges. */

import type { Migration } from '@flowgate/sql/engine/schema';

export const walletsMigration: Migration = {
  version: 12,
  name: 'wallets',
  statements: [
    `CREATE TABLE wallets (
      wallet_id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      address TEXT NOT NULL,
      kind TEXT NOT NULL,
      label TEXT,
      chain_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE UNIQUE INDEX wallets_by_address ON wallets (user_id, address)',
    'CREATE INDEX wallets_by_user ON wallets (user_id, created_at, wallet_id)',
    `CREATE TABLE wallet_challenges (
      nonce TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      address TEXT NOT NULL,
      chain_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      spent_at BIGINT
    )`,
    'CREATE INDEX wallet_challenges_by_user ON wallet_challenges (user_id, created_at, nonce)',
    'CREATE INDEX wallet_challenges_by_end ON wallet_challenges (expires_at)',
  ],
};
