/** The database schema of the indexer: the progress of each stream, and the block hashes that show a reorganization. */

export const indexSchema = [
  `CREATE TABLE bridge_streams (
    stream_id TEXT NOT NULL PRIMARY KEY,
    next_block BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    reread_to BIGINT,
    head_number BIGINT,
    head_hash TEXT,
    head_time BIGINT,
    read_at BIGINT,
    trouble TEXT
  )`,
  `CREATE TABLE bridge_blocks (
    block_id TEXT NOT NULL PRIMARY KEY,
    stream_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    hash TEXT NOT NULL
  )`,
  'CREATE UNIQUE INDEX bridge_blocks_by_number ON bridge_blocks (stream_id, number)',
];
