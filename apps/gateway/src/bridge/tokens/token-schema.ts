/** The schema of tokens: pairs that were learnt from L2, and what tokens say of themselves. */

export const tokenStatements: readonly string[] = [
  `CREATE TABLE bridge_token_pairs (
    pair_id TEXT NOT NULL PRIMARY KEY,
    bridge_id TEXT NOT NULL,
    stream_id TEXT NOT NULL,
    l1_address TEXT NOT NULL,
    l2_address TEXT NOT NULL,
    block_number BIGINT NOT NULL,
    log_index BIGINT NOT NULL
  )`,
  // The first that was created for an L1 token.
  'CREATE INDEX bridge_token_pairs_by_l1 ON bridge_token_pairs (bridge_id, l1_address, block_number, log_index)',
  // What a reorganization takes away.
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
  // What is looked at next; 0 for what was never looked at.
  'CREATE INDEX bridge_tokens_by_due ON bridge_tokens (dlt, network_id, due_at)',
];
