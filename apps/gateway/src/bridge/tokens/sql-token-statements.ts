/** The statements that store the facts of a range of blocks about tokens, and those that revert them. */

import type { Statement } from '@flowgate/sql/engine/database';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { RangeFacts } from '../facts/range-facts.ts';
import { among, type FactContext, inRuns, type LostBlocks, renewed, rowsOf } from '../facts/sql-fact-statements.ts';
import { bridgeTokenPairsTable } from './token-tables.ts';

const pairs = selection(bridgeTokenPairsTable);

type Source = Pick<FactContext, 'streamId' | 'bridgeId' | 'place'>;

/** Stores pairs, and the tokens that the range's records name on the stream's own network: they are read later. */
export function storeTokens(facts: RangeFacts, source: Source): readonly Statement[] {
  return [...storePairs(facts, source), ...noteTokens(facts, source)];
}

/** A token is created once. */
function storePairs({ tokenPairs }: RangeFacts, { bridgeId, streamId }: Source): readonly Statement[] {
  return inRuns(tokenPairs, ({ l2 }) => l2).map((run) => {
    const records = run.map(({ l1, l2, blockNumber, logIndex }) => {
      return { pairId: `${bridgeId} ${l2}`, bridgeId, streamId, l1, l2, blockNumber, logIndex };
    });
    return sql`INSERT INTO bridge_token_pairs (${pairs.list}) VALUES ${rowsOf(pairs, records)}
      ON CONFLICT (pair_id) DO UPDATE SET ${renewed('l1_address', 'stream_id', 'block_number', 'log_index')}`;
  });
}

function noteTokens(facts: RangeFacts, { place }: Source): readonly Statement[] {
  const { deposits, withdrawals, swaps, tokenPairs } = facts;
  const addresses = [
    ...deposits.flatMap(({ deposit: { token } }) => (token.native ? [] : [token.l1])),
    ...withdrawals.flatMap(({ withdrawal: { token } }) => (token.native ? [] : [token.l2])),
    ...swaps.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]),
    ...tokenPairs.map(({ l2 }) => l2),
  ].map((address) => address.toLowerCase());
  const { dlt, networkId } = place;
  return inRuns(addresses, (address) => address).map((run) => {
    const rows = run.map((address) => sql`(${`${dlt} ${networkId} ${address}`}, ${dlt}, ${networkId}, ${address}, 0)`);
    return sql`INSERT INTO bridge_tokens (token_id, dlt, network_id, address, due_at) VALUES ${list(rows)}
      ON CONFLICT (token_id) DO NOTHING`;
  });
}

/** Symbols and decimals remain: they are read by address, and read again. */
export function loseTokens(lost: LostBlocks): readonly Statement[] {
  return [sql`DELETE FROM bridge_token_pairs WHERE stream_id = ${lost.streamId} AND ${among(lost)}`];
}
