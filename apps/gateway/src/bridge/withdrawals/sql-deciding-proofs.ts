/** The proofs that decide the status of withdrawals: the latest of each submitter, and a bounded number for each withdrawal. */

import type { Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { bridgeProofsTable } from './withdrawal-tables.ts';

const proofs = selection(bridgeProofsTable);

/** Anyone can prove any withdrawal, at a cost. Proofs of its sender and receiver come first, then the earliest ones: later proofs cannot displace a proof that is nearly ready. */
const proofsOfEach = 64;

/** The proofs of withdrawals with these hashes, newest first. */
export function decidingProofs(bridgeId: string, hashes: Fragment): Statement {
  return sql`SELECT ${proofs.list} FROM (
      SELECT ${proofs.list}, ROW_NUMBER() OVER (
        PARTITION BY withdrawal_hash ORDER BY is_of_stranger, block_number, log_index) AS place
      FROM (
        SELECT ${proofs.list}, ROW_NUMBER() OVER (
            PARTITION BY withdrawal_hash, submitter ORDER BY block_number DESC, log_index DESC) AS nth_latest,
          CASE WHEN EXISTS (SELECT 1 FROM bridge_withdrawals AS proven
            WHERE proven.bridge_id = bridge_proofs.bridge_id AND proven.withdrawal_hash = bridge_proofs.withdrawal_hash
              AND bridge_proofs.submitter IN (proven.from_address, proven.to_address)) THEN 0 ELSE 1 END AS is_of_stranger
        FROM bridge_proofs WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${hashes})
      ) AS latest WHERE nth_latest = 1
    ) AS chosen WHERE place <= ${proofsOfEach} ORDER BY block_number DESC, log_index DESC`;
}
