/** The database schema of bridges: what the indexer reads, and the records that it derives. */

import type { Migration } from '@flowgate/sql/engine/schema';
import { depositSchema } from './deposits/deposit-schema.ts';
import { indexSchema } from './indexing/index-schema.ts';
import { swapSchema } from './swaps/swap-schema.ts';
import { tokenSchema } from './tokens/token-schema.ts';
import { withdrawalSchema } from './withdrawals/withdrawal-schema.ts';

export const bridgeMigration: Migration = {
  version: 17,
  name: 'bridges',
  statements: [...indexSchema, ...depositSchema, ...withdrawalSchema, ...swapSchema, ...tokenSchema],
};

/** Records can be found by each of their transactions. */
export const bridgeTransactionsMigration: Migration = {
  version: 20,
  name: 'bridge transactions',
  statements: [
    'CREATE INDEX bridge_deposits_by_transaction ON bridge_deposits (transaction_hash)',
    'CREATE INDEX bridge_deposits_by_l2_hash ON bridge_deposits (l2_hash)',
    'CREATE INDEX bridge_withdrawals_by_l2_transaction ON bridge_withdrawals (transaction_hash)',
    'CREATE INDEX bridge_withdrawals_by_proof ON bridge_withdrawals (prove_transaction) WHERE prove_transaction IS NOT NULL',
    'CREATE INDEX bridge_withdrawals_by_end ON bridge_withdrawals (finalise_transaction) WHERE finalise_transaction IS NOT NULL',
  ],
};

/** The outcomes that L1's messenger reports for messages of withdrawals. */
export const withdrawalRelaysMigration: Migration = {
  version: 21,
  name: 'relays of withdrawals',
  statements: [
    'ALTER TABLE bridge_withdrawals ADD COLUMN message_hash TEXT',
    'ALTER TABLE bridge_withdrawals ADD COLUMN failure_reason TEXT',
  ],
};
