/** The database schema of swaps. */

export const swapSchema: readonly string[] = [
  `CREATE TABLE bridge_swaps (
    swap_id TEXT NOT NULL PRIMARY KEY,
    stream_id TEXT NOT NULL,
    pool TEXT NOT NULL,
    transaction_hash TEXT NOT NULL,
    nth BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    block_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    status TEXT NOT NULL,
    from_address TEXT NOT NULL,
    nonce BIGINT NOT NULL,
    sender_address TEXT NOT NULL,
    to_address TEXT NOT NULL,
    token_in TEXT NOT NULL,
    amount_in TEXT NOT NULL,
    token_out TEXT NOT NULL,
    amount_out TEXT NOT NULL,
    lost_at BIGINT,
    due_at BIGINT
  )`,
  'CREATE UNIQUE INDEX bridge_swaps_by_log ON bridge_swaps (stream_id, transaction_hash, pool, nth)',
  // Pages of a wallet in each of its roles, without lost swaps.
  'CREATE INDEX bridge_swaps_by_from ON bridge_swaps (from_address, stream_id, created_at, swap_id) WHERE lost_at IS NULL',
  // The sender of the transaction usually called the pool through a router, which is no user's wallet.
  'CREATE INDEX bridge_swaps_by_sender ON bridge_swaps (sender_address, stream_id, created_at, swap_id) WHERE lost_at IS NULL',
  'CREATE INDEX bridge_swaps_by_to ON bridge_swaps (to_address, stream_id, created_at, swap_id) WHERE lost_at IS NULL',
  // Swaps of lost blocks.
  'CREATE INDEX bridge_swaps_by_block ON bridge_swaps (stream_id, block_number) WHERE lost_at IS NULL',
  // Swaps that the leader checks next.
  'CREATE INDEX bridge_swaps_by_due ON bridge_swaps (stream_id, due_at) WHERE due_at IS NOT NULL',
];
