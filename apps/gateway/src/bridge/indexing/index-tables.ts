/** The tables of the indexer. */

import { integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';

export const bridgeStreamsTable = table('bridge_streams', 'streamId', {
  streamId: text('stream_id'),
  nextBlock: integer('next_block'),
  epoch: integer('epoch'),
  rereadTo: optional(integer('reread_to')),
  headNumber: optional(integer('head_number')),
  headHash: optional(text('head_hash')),
  headTimeMs: optional(timeMs('head_time')),
  readAtMs: optional(timeMs('read_at')),
  trouble: optional(text('trouble')),
});

export const bridgeBlocksTable = table('bridge_blocks', 'blockId', {
  /** The stream and the number, as one text: the key by which `migrate-data` copies. */
  blockId: text('block_id'),
  streamId: text('stream_id'),
  number: integer('number'),
  hash: text('hash'),
});
