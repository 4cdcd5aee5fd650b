/** The table of swaps in configured pools. */

import { integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { SwapStatus } from './swap.ts';

export const bridgeSwapsTable = table('bridge_swaps', 'swapId', {
  swapId: text('swap_id'),
  streamId: text('stream_id'),
  pool: text('pool'),
  transactionHash: text('transaction_hash'),
  nth: integer('nth'),
  blockNumber: integer('block_number'),
  blockHash: text('block_hash'),
  createdAtMs: timeMs('created_at'),
  status: text<SwapStatus>('status'),
  from: text('from_address'),
  nonce: integer('nonce'),
  sender: text('sender_address'),
  to: text('to_address'),
  tokenIn: text('token_in'),
  amountIn: text('amount_in'),
  tokenOut: text('token_out'),
  amountOut: text('amount_out'),
  lostAtMs: optional(timeMs('lost_at')),
  dueAtMs: optional(timeMs('due_at')),
});
