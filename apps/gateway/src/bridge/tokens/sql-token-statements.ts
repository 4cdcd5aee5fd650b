/** The statements that store what a range of blocks tells about tokens, and that take it back. */

import { inChunks } from '@flowgate/base/in-chunks';
import type { Statement } from '@flowgate/sql/engine/database';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { RangeFacts } from '../facts/range-facts.ts';
import { bridgeTokenPairsTable } from './token-tables.ts';

const pairs = selection(bridgeTokenPairsTable);

/** Of the stream that the range is of. */
type Source = {
  readonly streamId: string;
  readonly bridgeId: string;
  readonly place: { readonly dlt: string; readonly networkId: string };
};

/** Blocks above `keep`, up to `upTo`. */
type Lost = { readonly streamId: string; readonly keep: number; readonly upTo: number };

/** Rows of one statement. */
const mostRows = 200;

/** Pairs; and the tokens that the range's records name on the stream's own network, to be read. */
export function storeTokens(facts: RangeFacts, source: Source): readonly Statement[] {
  return [...storePairs(facts, source), ...noteTokens(facts, source)];
}

function storePairs({ tokenPairs }: RangeFacts, { bridgeId, streamId }: Source): readonly Statement[] {
  // A token is created once; a range that says otherwise must not fail for ever.
  const byToken = new Map(tokenPairs.map((pair) => [pair.l2, pair]));
  return inChunks(sorted(byToken), mostRows).map((some) => {
    const rows = some.map(([l2, { l1, blockNumber, logIndex }]) => {
      const record = { pairId: `${bridgeId} ${l2}`, bridgeId, streamId, l1, l2, blockNumber, logIndex };
      return sql`(${pairs.values(record)})`;
    });
    return sql`INSERT INTO bridge_token_pairs (${pairs.list}) VALUES ${list(rows)}
      ON CONFLICT (pair_id) DO UPDATE SET l1_address = excluded.l1_address, stream_id = excluded.stream_id,
        block_number = excluded.block_number, log_index = excluded.log_index`;
  });
}

function noteTokens(facts: RangeFacts, { place }: Source): readonly Statement[] {
  const { deposits, withdrawals, swaps, tokenPairs } = facts;
  const addresses = [
    ...deposits.flatMap(({ deposit: { token } }) => (token.native ? [] : [token.l1])),
    ...withdrawals.flatMap(({ withdrawal: { token } }) => (token.native ? [] : [token.l2])),
    ...swaps.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]),
    ...tokenPairs.map(({ l2 }) => l2),
  ];
  const { dlt, networkId } = place;
  const distinct = new Set(addresses.map((address) => address.toLowerCase()));
  return inChunks([...distinct].sort(), mostRows).map((some) => {
    const rows = some.map((address) => sql`(${`${dlt} ${networkId} ${address}`}, ${dlt}, ${networkId}, ${address}, 0)`);
    return sql`INSERT INTO bridge_tokens (token_id, dlt, network_id, address, due_at) VALUES ${list(rows)}
      ON CONFLICT (token_id) DO NOTHING`;
  });
}

/** What tokens say of themselves stays: they are read by their addresses, and read again. */
export function loseTokens({ streamId, keep, upTo }: Lost): readonly Statement[] {
  return [
    sql`DELETE FROM bridge_token_pairs
      WHERE stream_id = ${streamId} AND block_number > ${keep} AND block_number <= ${upTo}`,
  ];
}

/** In one order everywhere, so that two that write the same rows do not deadlock. */
function sorted<T>(byKey: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1));
}
