/** The database schema of tokens: pairs that are learned from L2, and the symbols and decimals of tokens. */

export const tokenSchema: readonly string[] = [
  `CREATE TABLE bridge_token_pairs (
    pair_id TEXT NOT NULL PRIMARY KEY,
    bridge_id TEXT NOT NULL,
    stream_id TEXT NOT NULL,
    l1_address TEXT NOT NULL,
    l2_address TEXT NOT NULL,
    block_number BIGINT NOT NULL,
    log_index BIGINT NOT NULL
  )`,
  // The first L2 token that was created for an L1 token.
  'CREATE INDEX bridge_token_pairs_by_l1 ON bridge_token_pairs (bridge_id, l1_address, block_number, log_index)',
  // Pairs that a reorganization removes.
  'CREATE INDEX bridge_token_pairs_by_block ON bridge_token_pairs (stream_id, block_number)',
  `CREATE TABLE bridge_tokens (
    token_id TEXT NOT NULL PRIMARY KEY,
    dlt TEXT NOT NULL,
    network_id TEXT NOT NULL,
    address TEXT NOT NULL,
    symbol TEXT,
    decimals BIGINT,
    due_at BIGINT NOT NULL
  )`,
  // Tokens to read next; 0 for those that were never read.
  'CREATE INDEX bridge_tokens_by_due ON bridge_tokens (dlt, network_id, due_at)',
];
