/** The statements that store the outcomes that L2's messenger reports for messages of deposits, and that update the deposits. */

import type { Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { RelayFact } from '../facts/deposit-facts.ts';
import type { RangeFacts } from '../facts/range-facts.ts';
import {
  among,
  bridgeOf,
  type FactContext,
  inRuns,
  isReorganization,
  type LostBlocks,
  placeKey,
  renewed,
  rowsOf,
} from '../facts/sql-fact-statements.ts';
import { bridgeRelaysTable } from './deposit-tables.ts';

const relays = selection(bridgeRelaysTable);

const ofMessage = `FROM bridge_relays AS relay WHERE relay.bridge_id = bridge_deposits.bridge_id
  AND relay.message_hash = bridge_deposits.message_hash AND relay.lost_at IS NULL`;
/** The outcome in the deposit's own transaction on L2. When the deposit was mined again, the outcome of its earlier transaction does not count. */
const own = `${ofMessage} AND relay.transaction_hash = bridge_deposits.l2_hash`;
/** `+ 0`: for MIN of a plain column both engines scan an index of all blocks. */
const ownBlock = `SELECT MIN(relay.block_number + 0) ${own}`;
const hasOwn = raw(`EXISTS (SELECT 1 ${own})`);
/** In that transaction or in a later one: a failed message can be relayed again. */
const isRelayed = raw(`EXISTS (SELECT 1 ${ofMessage} AND relay.is_relayed = 1)`);

/** As rows: each engine looks them up by index, or joins them at once. PostgreSQL may use a plan for a list after IN that it made for few deposits, and then compares each deposit with each entry. */
export function messagesOf(hashes: readonly string[]): Fragment {
  return sql`VALUES ${list(hashes.map((hash) => sql`(CAST(${hash} AS TEXT))`))}`;
}

/** Deposits whose message has an outcome: it was relayed, or its call failed. */
export function endedByRelays(bridgeId: string, messages: Fragment, nowMs: number): Statement {
  return sql`UPDATE bridge_deposits SET
      status = CASE WHEN ${isRelayed} THEN 'completed' ELSE 'failed' END,
      failure_reason = CASE WHEN ${isRelayed} THEN NULL ELSE 'relay_failed' END,
      l2_block = (${raw(ownBlock)}),
      open_block = NULL, reset_at = NULL, look_at = NULL, looked_at = NULL, stalled_reason = NULL,
      updated_at = ${nowMs}, status_changed_at = ${nowMs}
    WHERE bridge_id = ${bridgeId} AND message_hash IN (${messages}) AND lost_at IS NULL AND ${hasOwn}
      AND (open_block IS NOT NULL OR (failure_reason = 'relay_failed' AND ${isRelayed})
        OR (status = 'completed' AND NOT ${isRelayed}))`;
}

export function storeRelays(
  { relays: facts }: RangeFacts,
  { streamId, bridgeId, nowMs }: Pick<FactContext, 'streamId' | 'bridgeId' | 'nowMs'>,
): readonly Statement[] {
  if (bridgeOf({ streamId }, 'l2') === undefined) return [];
  const hashes = facts.map(({ messageHash }) => messageHash.toLowerCase());
  return [
    ...inRuns(facts, placeKey).map((run) => insertion(run, bridgeId)),
    ...inRuns(hashes, (hash) => hash).map((run) => endedByRelays(bridgeId, messagesOf(run), nowMs)),
    ...withoutLost(bridgeId, nowMs),
  ];
}

/** Outcomes in lost blocks of L2, and ends that were read from receipts in those blocks. In a reorganization they are lost at once; for blocks that are read again, after they were read. */
export function loseRelays(lost: LostBlocks): readonly Statement[] {
  const bridgeId = bridgeOf(lost, 'l2');
  if (bridgeId === undefined) return [];
  const { nowMs } = lost;
  const marking = sql`UPDATE bridge_relays SET lost_at = ${nowMs} WHERE bridge_id = ${bridgeId} AND ${among(lost)}`;
  // Ends without a log: deposits by the portal alone, and those whose transaction failed.
  const byReceipt = sql`bridge_id = ${bridgeId} AND ${among(lost, 'l2_block')} AND lost_at IS NULL
    AND (message_hash IS NULL OR failure_reason = 'l2_reverted')`;
  if (!isReorganization(lost))
    return [marking, sql`UPDATE bridge_deposits SET reset_at = ${nowMs}, due_at = ${nowMs} WHERE ${byReceipt}`];
  return [marking, reopening(byReceipt, nowMs), ...withoutLost(bridgeId, nowMs)];
}

function insertion(facts: readonly RelayFact[], bridgeId: string): Statement {
  const records = facts.map(({ nth, messageHash, isRelayed: relayed, transactionHash, blockNumber }) => ({
    ...{ relayId: `${bridgeId} ${transactionHash} ${nth}`, bridgeId, messageHash: messageHash.toLowerCase() },
    ...{ isRelayed: relayed, transactionHash, blockNumber },
  }));
  return sql`INSERT INTO bridge_relays (${relays.list}) VALUES ${rowsOf(relays, records)}
    ON CONFLICT (relay_id) DO UPDATE SET ${renewed('message_hash', 'is_relayed', 'block_number')}, lost_at = NULL`;
}

/** Removes lost outcomes, and reverts the ends that follow from them. */
function withoutLost(bridgeId: string, nowMs: number): readonly Statement[] {
  const lost = sql`SELECT message_hash FROM bridge_relays WHERE bridge_id = ${bridgeId} AND lost_at IS NOT NULL`;
  const withoutOwn = sql`bridge_id = ${bridgeId} AND message_hash IN (${lost}) AND open_block IS NULL AND lost_at IS NULL
    AND (status = 'completed' OR failure_reason = 'relay_failed') AND NOT ${hasOwn}`;
  return [
    reopening(withoutOwn, nowMs),
    endedByRelays(bridgeId, lost, nowMs),
    sql`DELETE FROM bridge_relays WHERE bridge_id = ${bridgeId} AND lost_at IS NOT NULL`,
  ];
}

/** These deposits were on L2, so they are due there: the next round reads their current state. */
function reopening(where: Fragment, nowMs: number): Statement {
  return sql`UPDATE bridge_deposits SET status = 'relaying', failure_reason = NULL, l2_block = NULL, open_block = l1_block,
      reset_at = ${nowMs}, due_at = ${nowMs}, look_at = ${nowMs}, looked_at = NULL, stalled_reason = NULL,
      updated_at = ${nowMs}, status_changed_at = ${nowMs}
    WHERE ${where}`;
}
