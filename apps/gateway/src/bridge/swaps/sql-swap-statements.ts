/** The statements that store swaps of a range of blocks, and those that revert them. */

import type { Statement } from '@flowgate/sql/engine/database';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selectionWithout } from '@flowgate/sql/engine/table';
import type { RangeFacts } from '../facts/range-facts.ts';
import {
  among,
  type FactContext,
  inRuns,
  type LoseFacts,
  placeKey,
  renewed,
  rowsOf,
} from '../facts/sql-fact-statements.ts';
import type { SwapFact } from '../facts/swap-facts.ts';
import type { SwapRecord } from './swap.ts';
import { bridgeSwapsTable } from './swap-table.ts';

const columns = selectionWithout(bridgeSwapsTable, 'lostAtMs', 'dueAtMs');

type Source = Pick<FactContext, 'streamId' | 'newId'>;

/** A stored swap retains its id and takes the values of its new block: another price, and possibly other amounts. */
export function storeSwaps({ swaps }: RangeFacts, source: Source): readonly Statement[] {
  return inRuns(swaps, (fact) => `${placeKey(fact)}/${fact.pool}`).map((run) => {
    const rows = rowsOf(
      columns,
      run.map((fact) => recordOf(fact, source)),
    );
    return sql`INSERT INTO bridge_swaps (${columns.list}) VALUES ${rows}
      ON CONFLICT (stream_id, transaction_hash, pool, nth) DO UPDATE SET
        ${renewed('block_number', 'block_hash', 'created_at', 'status', 'from_address', 'nonce', 'sender_address')},
        ${renewed('to_address', 'token_in', 'amount_in', 'token_out', 'amount_out')}, lost_at = NULL, due_at = NULL`;
  });
}

/** They are in no list until they are found again. */
export const loseSwaps: LoseFacts = (lost) => [
  sql`UPDATE bridge_swaps SET lost_at = ${lost.nowMs}, due_at = ${lost.nowMs}
    WHERE stream_id = ${lost.streamId} AND ${among(lost)} AND lost_at IS NULL`,
];

function recordOf(fact: SwapFact, { streamId, newId }: Source): SwapRecord {
  const { swap, transaction } = fact;
  return {
    swapId: newId('swp'),
    streamId,
    pool: fact.pool,
    transactionHash: fact.transactionHash.toLowerCase(),
    nth: fact.nth,
    blockNumber: fact.blockNumber,
    blockHash: fact.blockHash.toLowerCase(),
    createdAtMs: fact.blockTimeMs,
    status: 'completed',
    from: transaction.from,
    nonce: transaction.nonce,
    sender: swap.sender.toLowerCase(),
    to: swap.recipient.toLowerCase(),
    tokenIn: fact.tokenIn,
    amountIn: String(swap.amountIn),
    tokenOut: fact.tokenOut,
    amountOut: String(swap.amountOut),
  };
}
