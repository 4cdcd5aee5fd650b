/** The statements that store swaps of a range of blocks, and those that take them back. */

import type { NewTypeId } from '@flowgate/base/ids';
import type { Statement } from '@flowgate/sql/engine/database';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selectionWithout } from '@flowgate/sql/engine/table';
import type { RangeFacts } from '../facts/range-facts.ts';
import type { SwapFact } from '../facts/swap-facts.ts';
import type { SwapRecord } from './swap.ts';
import { bridgeSwapsTable } from './swap-table.ts';

/** Of the stream that the range is of. */
type Source = { readonly streamId: string; readonly newId: NewTypeId };

/** Blocks above `keep`, up to `upTo`. */
type Lost = { readonly streamId: string; readonly keep: number; readonly upTo: number; readonly nowMs: number };

const columns = selectionWithout(bridgeSwapsTable, 'lostAtMs', 'dueAtMs');

const rowsPerStatement = 100;

/** What is known already keeps its id, and gets what it did in its new block: another price, and maybe other amounts. */
export function storeSwaps({ swaps }: RangeFacts, source: Source): readonly Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < swaps.length; at += rowsPerStatement) {
    const rows = swaps.slice(at, at + rowsPerStatement).map((fact) => sql`(${columns.values(recordOf(fact, source))})`);
    statements.push(sql`INSERT INTO bridge_swaps (${columns.list}) VALUES ${list(rows)}
      ON CONFLICT (stream_id, transaction_hash, pool, nth) DO UPDATE SET
        block_number = excluded.block_number, block_hash = excluded.block_hash, created_at = excluded.created_at,
        status = excluded.status, from_address = excluded.from_address, nonce = excluded.nonce,
        sender_address = excluded.sender_address, to_address = excluded.to_address,
        token_in = excluded.token_in, amount_in = excluded.amount_in,
        token_out = excluded.token_out, amount_out = excluded.amount_out, lost_at = NULL, due_at = NULL`);
  }
  return statements;
}

/** Until they are found again they are in no list. */
export function loseSwaps({ streamId, keep, upTo, nowMs }: Lost): readonly Statement[] {
  return [
    sql`UPDATE bridge_swaps SET lost_at = ${nowMs}, due_at = ${nowMs}
      WHERE stream_id = ${streamId} AND block_number > ${keep} AND block_number <= ${upTo} AND lost_at IS NULL`,
  ];
}

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
