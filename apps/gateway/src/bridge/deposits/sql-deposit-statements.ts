/** The statements that store deposits of a range of L1's blocks, and those that remove them. */

import type { Statement } from '@flowgate/sql/engine/database';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import { type RecordOf, selection } from '@flowgate/sql/engine/table';
import type { DepositFact } from '../facts/deposit-facts.ts';
import type { RangeFacts } from '../facts/range-facts.ts';
import {
  among,
  bridgeOf,
  type FactContext,
  inRuns,
  isReorganization,
  type LostBlocks,
  placeKey,
  rowsOf,
} from '../facts/sql-fact-statements.ts';
import { bridgeDepositsTable } from './deposit-tables.ts';
import { endedByRelays, messagesOf } from './sql-relay-statements.ts';

const deposits = selection(bridgeDepositsTable);

type DepositSource = Pick<FactContext, 'streamId' | 'bridgeId' | 'nowMs' | 'newId'>;

/** True when a stored deposit is still in the same place and no reorganization has removed it. */
const isThere = `bridge_deposits.l1_block_hash = excluded.l1_block_hash
  AND bridge_deposits.l1_log_index = excluded.l1_log_index AND bridge_deposits.l2_hash = excluded.l2_hash
  AND (bridge_deposits.lost_at IS NULL OR bridge_deposits.status <> 'pending')
  AND COALESCE(bridge_deposits.failure_reason, '') <> 'reorganised'`;

/** Columns that are reset when the deposit is mined in another block. There it may send something else, and the messenger gives its message another number and so another hash. */
const ofNewBlock = [
  ...['kind', 'l1_token', 'l2_token', 'amount', 'from_address', 'to_address', 'message_hash'],
  ...['l1_block', 'l1_block_hash', 'l1_log_index', 'l2_hash', 'status', 'failure_reason', 'l2_block', 'open_block'],
  ...['due_at', 'reset_at', 'look_at', 'looked_at', 'stalled_reason', 'created_at', 'updated_at'],
];
const renewing = raw(
  [
    ...ofNewBlock.map(
      (name) => `${name} = CASE WHEN ${isThere} THEN bridge_deposits.${name} ELSE excluded.${name} END`,
    ),
    `status_changed_at = CASE WHEN bridge_deposits.status = 'pending' OR (${isThere})
      THEN bridge_deposits.status_changed_at ELSE excluded.status_changed_at END`,
    'lost_at = NULL',
  ].join(', '),
);

/** Stores the deposits of the range with the outcomes that L2 has already reported. Then settles deposits that were read again and not found. */
export function storeDeposits({ deposits: facts }: RangeFacts, context: DepositSource): readonly Statement[] {
  if (bridgeOf(context, 'l1') === undefined) return [];
  const { bridgeId, nowMs } = context;
  const runs = inRuns(facts, placeKey);
  const hashes = runs.flat().flatMap(({ deposit }) => deposit.messageHash?.toLowerCase() ?? []);
  return [
    ...runs.map((run) => insertion(run, context)),
    ...inRuns(hashes, (hash) => hash).map((run) => endedByRelays(bridgeId, messagesOf(run), nowMs)),
    takingOut(bridgeId, nowMs),
  ];
}

/** In a reorganization deposits are removed at once; for blocks that are read again, after they were read. */
export function loseDeposits(lost: LostBlocks): readonly Statement[] {
  const bridgeId = bridgeOf(lost, 'l1');
  if (bridgeId === undefined) return [];
  const { nowMs } = lost;
  const marking = sql`UPDATE bridge_deposits SET lost_at = ${nowMs}
    WHERE bridge_id = ${bridgeId} AND ${among(lost, 'l1_block')} AND lost_at IS NULL
      AND COALESCE(failure_reason, '') <> 'reorganised'`;
  return isReorganization(lost) ? [marking, takingOut(bridgeId, nowMs)] : [marking];
}

function insertion(facts: readonly DepositFact[], context: DepositSource): Statement {
  const records = facts.map((fact) => recordOf(fact, context));
  return sql`INSERT INTO bridge_deposits (${deposits.list}) VALUES ${rowsOf(deposits, records)}
    ON CONFLICT (bridge_id, transaction_hash, nth) DO UPDATE SET ${renewing}`;
}

/** A deposit that a reorganization removed waits until it is mined again, or cannot be. */
function takingOut(bridgeId: string, nowMs: number): Statement {
  return sql`UPDATE bridge_deposits SET
      status_changed_at = CASE WHEN status = 'pending' THEN status_changed_at ELSE ${nowMs} END,
      status = 'pending', failure_reason = NULL, l2_block = NULL, open_block = NULL, reset_at = NULL,
      due_at = ${nowMs}, look_at = ${nowMs}, looked_at = NULL, stalled_reason = NULL, updated_at = ${nowMs}
    WHERE bridge_id = ${bridgeId} AND lost_at IS NOT NULL AND (status <> 'pending' OR open_block IS NOT NULL)`;
}

function recordOf(
  fact: DepositFact,
  { bridgeId, nowMs, newId }: DepositSource,
): RecordOf<typeof bridgeDepositsTable.columns> {
  const { deposit, transaction, transactionHash, nth, blockNumber, blockHash, logIndex, blockTimeMs } = fact;
  const { token, messageHash } = deposit;
  return {
    depositId: newId('dep'),
    ...{ bridgeId, transactionHash, nth, kind: deposit.kind, amount: String(deposit.amount) },
    ...(!token.native && { l1Token: token.l1.toLowerCase(), l2Token: token.l2.toLowerCase() }),
    from: deposit.from.toLowerCase(),
    to: deposit.to.toLowerCase(),
    sender: transaction.from.toLowerCase(),
    nonce: transaction.nonce,
    ...(messageHash !== undefined && { messageHash: messageHash.toLowerCase() }),
    ...{ l1Block: blockNumber, l1BlockHash: blockHash, l1LogIndex: logIndex, openBlock: blockNumber },
    l2Hash: deposit.l2TransactionHash.toLowerCase(),
    status: 'pending',
    ...{ dueAtMs: nowMs, checkAtMs: nowMs, createdAtMs: blockTimeMs, updatedAtMs: nowMs, statusChangedAtMs: nowMs },
  };
}
