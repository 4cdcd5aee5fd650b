/** The database schema of deposits, and of the outcomes that L2's messenger reports for their messages. */

export const depositSchema: readonly string[] = [
  `CREATE TABLE bridge_deposits (
    deposit_id TEXT NOT NULL PRIMARY KEY,
    bridge_id TEXT NOT NULL,
    transaction_hash TEXT NOT NULL,
    nth BIGINT NOT NULL,
    kind TEXT NOT NULL,
    l1_token TEXT,
    l2_token TEXT,
    amount TEXT NOT NULL,
    from_address TEXT NOT NULL,
    to_address TEXT NOT NULL,
    sender TEXT NOT NULL,
    nonce BIGINT NOT NULL,
    message_hash TEXT,
    l1_block BIGINT NOT NULL,
    l1_block_hash TEXT NOT NULL,
    l1_log_index BIGINT NOT NULL,
    l2_hash TEXT NOT NULL,
    status TEXT NOT NULL,
    failure_reason TEXT,
    l2_block BIGINT,
    open_block BIGINT,
    due_at BIGINT NOT NULL,
    reset_at BIGINT,
    lost_at BIGINT,
    look_at BIGINT,
    looked_at BIGINT,
    stalled_reason TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    status_changed_at BIGINT NOT NULL
  )`,
  'CREATE UNIQUE INDEX bridge_deposits_by_log ON bridge_deposits (bridge_id, transaction_hash, nth)',
  // Pages of a wallet in each of its roles: all statuses, and one status.
  'CREATE INDEX bridge_deposits_by_from ON bridge_deposits (from_address, bridge_id, created_at, deposit_id)',
  'CREATE INDEX bridge_deposits_by_to ON bridge_deposits (to_address, bridge_id, created_at, deposit_id)',
  'CREATE INDEX bridge_deposits_by_from_status ON bridge_deposits (from_address, bridge_id, status, created_at, deposit_id)',
  'CREATE INDEX bridge_deposits_by_to_status ON bridge_deposits (to_address, bridge_id, status, created_at, deposit_id)',
  // Outcomes of a message on L2.
  'CREATE INDEX bridge_deposits_by_message ON bridge_deposits (bridge_id, message_hash) WHERE message_hash IS NOT NULL',
  // Records of lost blocks, on L1 and on L2.
  'CREATE INDEX bridge_deposits_by_l1_block ON bridge_deposits (bridge_id, l1_block)',
  'CREATE INDEX bridge_deposits_by_l2_block ON bridge_deposits (bridge_id, l2_block) WHERE l2_block IS NOT NULL',
  // Deposits that are not over: their progress, and those whose end must be read from L2.
  'CREATE INDEX bridge_deposits_open ON bridge_deposits (bridge_id, status, open_block) WHERE open_block IS NOT NULL',
  'CREATE INDEX bridge_deposits_by_due ON bridge_deposits (bridge_id, open_block, due_at) WHERE open_block IS NOT NULL',
  'CREATE INDEX bridge_deposits_reset ON bridge_deposits (bridge_id, reset_at) WHERE reset_at IS NOT NULL',
  'CREATE INDEX bridge_deposits_lost ON bridge_deposits (bridge_id, lost_at) WHERE lost_at IS NOT NULL',
  // Deposits that may be stalled.
  'CREATE INDEX bridge_deposits_by_look ON bridge_deposits (bridge_id, look_at) WHERE look_at IS NOT NULL',
  `CREATE TABLE bridge_relays (
    relay_id TEXT NOT NULL PRIMARY KEY,
    bridge_id TEXT NOT NULL,
    message_hash TEXT NOT NULL,
    is_relayed BIGINT NOT NULL,
    transaction_hash TEXT NOT NULL,
    block_number BIGINT NOT NULL,
    lost_at BIGINT
  )`,
  'CREATE INDEX bridge_relays_by_message ON bridge_relays (bridge_id, message_hash)',
  'CREATE INDEX bridge_relays_by_block ON bridge_relays (bridge_id, block_number)',
  'CREATE INDEX bridge_relays_lost ON bridge_relays (bridge_id, lost_at) WHERE lost_at IS NOT NULL',
];
