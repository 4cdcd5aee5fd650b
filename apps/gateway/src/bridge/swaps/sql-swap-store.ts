/** Swaps whose blocks were lost, in SQL, with one query text for every engine. The guarantees are in `bridge/swaps/swap-store.ts`. */

import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { sql } from '@flowgate/sql/engine/sql-text';
import { roundFence } from '../indexing/sql-round-fence.ts';
import type { LostSwap, SwapFinding, SwapStore } from './swap-store.ts';

/** No request waits for these statements. */
const backgroundDeadlineMs = 2_000;

export function createSqlSwapStore(database: Database): SwapStore {
  const query = ({ text, values }: Statement) => database.query(text, values, { deadlineMs: backgroundDeadlineMs });
  return {
    async lost(streamId, nowMs, limit) {
      const rows = await query(
        sql`SELECT swap_id, transaction_hash, from_address, nonce, lost_at FROM bridge_swaps
          WHERE stream_id = ${streamId} AND due_at <= ${nowMs} ORDER BY due_at LIMIT ${limit}`,
      );
      if (rows.length === 0) return { swaps: [], tip: undefined };
      const [tip] = await query(
        sql`SELECT number, hash FROM bridge_blocks WHERE stream_id = ${streamId} ORDER BY number DESC LIMIT 1`,
      );
      const block = tip === undefined ? undefined : { number: integerOf(tip, 'number'), hash: textOf(tip, 'hash') };
      return { swaps: rows.map(lostSwapOf), tip: block };
    },

    async settle(findings, stream, lease) {
      await database.transaction(
        findings.map(({ swap, finding }) => settling(swap, finding)),
        { onlyIf: roundFence(database, lease, [stream]), deadlineMs: backgroundDeadlineMs },
      );
    },
  };
}

function settling({ swapId, lostAtMs }: LostSwap, finding: SwapFinding): Statement {
  const stillLost = sql`swap_id = ${swapId} AND lost_at = ${lostAtMs}`;
  if (finding.kind === 'dropped') return sql`UPDATE bridge_swaps SET due_at = NULL WHERE ${stillLost}`;
  if (finding.kind === 'unknown') return sql`UPDATE bridge_swaps SET due_at = ${finding.dueAtMs} WHERE ${stillLost}`;
  const { block, blockTimeMs } = finding;
  return sql`UPDATE bridge_swaps SET status = 'failed', block_number = ${block.number}, block_hash = ${block.hash},
      created_at = ${blockTimeMs}, lost_at = NULL, due_at = NULL WHERE ${stillLost}`;
}

function lostSwapOf(row: Row): LostSwap {
  return {
    swapId: textOf(row, 'swap_id'),
    transactionHash: textOf(row, 'transaction_hash'),
    from: textOf(row, 'from_address'),
    nonce: integerOf(row, 'nonce'),
    lostAtMs: integerOf(row, 'lost_at'),
  };
}
