/** The tables of tokens. */

import { integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';

export const bridgeTokenPairsTable = table('bridge_token_pairs', 'pairId', {
  /** The bridge and the L2 token, as one text: the key by which `migrate-data` copies. */
  pairId: text('pair_id'),
  bridgeId: text('bridge_id'),
  streamId: text('stream_id'),
  l1: text('l1_address'),
  l2: text('l2_address'),
  blockNumber: integer('block_number'),
  logIndex: integer('log_index'),
});

export const bridgeTokensTable = table('bridge_tokens', 'tokenId', {
  /** Ledger, network and address, as one text. */
  tokenId: text('token_id'),
  dlt: text('dlt'),
  networkId: text('network_id'),
  address: text('address'),
  symbol: optional(text('symbol')),
  decimals: optional(integer('decimals')),
  dueAtMs: timeMs('due_at'),
});
