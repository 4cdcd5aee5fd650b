/** The statements that store what L2's messenger did with messages of deposits, and what follows from it for the deposits. */

import { inChunks } from '@flowgate/base/in-chunks';
import type { Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { RelayFact } from '../facts/deposit-facts.ts';
import type { RangeFacts } from '../facts/range-facts.ts';
import { bridgeRelaysTable } from './deposit-tables.ts';

/** Of the stream that a range is of. */
export type FactSource = { readonly streamId: string; readonly bridgeId: string; readonly nowMs: number };

/** Blocks above `keep`, up to `upTo`: `Number.MAX_SAFE_INTEGER` when a reorganisation has taken all of them. */
export type LostRange = {
  readonly streamId: string;
  readonly keep: number;
  readonly upTo: number;
  readonly nowMs: number;
};

const relays = selection(bridgeRelaysTable);

/** Rows of one statement. */
const mostRows = 200;

const ofMessage = `FROM bridge_relays AS relay WHERE relay.bridge_id = bridge_deposits.bridge_id
  AND relay.message_hash = bridge_deposits.message_hash AND relay.lost_at IS NULL`;
/** What the messenger told in the deposit's own transaction on L2. Of a deposit that was mined again, what its earlier one told does not count. */
const own = `${ofMessage} AND relay.transaction_hash = bridge_deposits.l2_hash`;
/** As a sum: for the least of a plain column both engines walk through an index of all blocks. */
const ownBlock = `SELECT MIN(relay.block_number + 0) ${own}`;
const hasOwn = raw(`EXISTS (SELECT 1 ${own})`);
/** In that transaction or in a later one: a message that failed can be relayed again. */
const isRelayed = raw(`EXISTS (SELECT 1 ${ofMessage} AND relay.is_relayed = 1)`);

/** As rows: each engine looks them up by index, or compares them in one go. A list after IN would be compared with every deposit, one by one, by a plan that PostgreSQL has made while there were few. */
export function messagesOf(hashes: readonly string[]): Fragment {
  return sql`VALUES ${list(hashes.map((hash) => sql`(CAST(${hash} AS TEXT))`))}`;
}

/** Deposits with these messages that L2's messenger has told of: they have arrived, or what they call has failed. */
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
  { bridgeId, streamId, nowMs }: FactSource,
): readonly Statement[] {
  if (streamId !== `${bridgeId}/l2`) return [];
  const byId = new Map(facts.map((fact) => [`${bridgeId} ${fact.transactionHash} ${fact.nth}`, fact]));
  const ordered = [...byId].sort(([one], [other]) => (one < other ? -1 : 1));
  const hashes = new Set(facts.map(({ messageHash }) => messageHash.toLowerCase()));
  return [
    ...inChunks(ordered, mostRows).map((some) => insertion(some, bridgeId)),
    ...inChunks([...hashes].sort(), mostRows).map((some) => endedByRelays(bridgeId, messagesOf(some), nowMs)),
    ...withoutLost(bridgeId, nowMs),
  ];
}

/** What was told in lost blocks of L2, and ends that were read from receipts in them. Of a reorganisation at once; of blocks that are read again when they were read. */
export function loseRelays({ streamId, keep, upTo, nowMs }: LostRange): readonly Statement[] {
  if (!streamId.endsWith('/l2')) return [];
  const bridgeId = streamId.slice(0, -'/l2'.length);
  const marking = sql`UPDATE bridge_relays SET lost_at = ${nowMs}
    WHERE bridge_id = ${bridgeId} AND block_number > ${keep} AND block_number <= ${upTo}`;
  // Told by no log: those of the portal alone, and those whose transaction has failed.
  const byReceipt = sql`bridge_id = ${bridgeId} AND l2_block > ${keep} AND l2_block <= ${upTo} AND lost_at IS NULL
    AND (message_hash IS NULL OR failure_reason = 'l2_reverted')`;
  if (upTo !== Number.MAX_SAFE_INTEGER)
    return [marking, sql`UPDATE bridge_deposits SET reset_at = ${nowMs}, due_at = ${nowMs} WHERE ${byReceipt}`];
  return [marking, reopening(byReceipt, nowMs), ...withoutLost(bridgeId, nowMs)];
}

function insertion(some: readonly (readonly [string, RelayFact])[], bridgeId: string): Statement {
  const rows = some.map(([relayId, { messageHash, isRelayed: relayed, transactionHash, blockNumber }]) => {
    const record = { relayId, bridgeId, messageHash: messageHash.toLowerCase(), isRelayed: relayed };
    return sql`(${relays.values({ ...record, transactionHash, blockNumber })})`;
  });
  return sql`INSERT INTO bridge_relays (${relays.list}) VALUES ${list(rows)}
    ON CONFLICT (relay_id) DO UPDATE SET message_hash = excluded.message_hash, is_relayed = excluded.is_relayed,
      block_number = excluded.block_number, lost_at = NULL`;
}

/** Lost relays go, and with them the ends that they have told. */
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

/** They were on L2, so they are due there; the next round reads where they are now. */
function reopening(where: Fragment, nowMs: number): Statement {
  return sql`UPDATE bridge_deposits SET status = 'relaying', failure_reason = NULL, l2_block = NULL, open_block = l1_block,
      reset_at = ${nowMs}, due_at = ${nowMs}, look_at = ${nowMs}, looked_at = NULL, stalled_reason = NULL,
      updated_at = ${nowMs}, status_changed_at = ${nowMs}
    WHERE ${where}`;
}
