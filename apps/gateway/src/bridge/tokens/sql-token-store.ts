/** Tokens in SQL. The guarantees are in `bridge/tokens/token-store.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { fence } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { TokenPair } from '../bridges/bridge.ts';
import type { ReadToken, TokenPlace, TokenStore } from './token-store.ts';
import { bridgeTokenPairsTable, bridgeTokensTable } from './token-tables.ts';

const reported = selection(bridgeTokensTable, 'tokenId', 'symbol', 'decimals');
const placed = selection(bridgeTokensTable, 'dlt', 'networkId', 'address', 'dueAtMs');
const pairs = selection(bridgeTokenPairsTable, 'l1', 'l2');

/** No request waits for these statements, so they may take longer. */
const backgroundDeadlineMs = 2_000;

export function createSqlTokenStore(database: Database): TokenStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  const pairOf = ([row]: readonly Row[]): TokenPair | undefined => (row === undefined ? undefined : pairs.read(row));
  async function writeEach(
    tokens: readonly ReadToken[],
    lease: Lease,
    statement: (token: ReadToken) => Statement,
  ): Promise<void> {
    if (tokens.length === 0) return;
    const ordered = tokens.toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
    const options = { onlyIf: fence(database, lease), deadlineMs: backgroundDeadlineMs };
    await database.transaction(ordered.map(statement), options);
  }

  return {
    async describe(places) {
      const ids = new Set(places.map(idOf));
      if (ids.size === 0) return new Map();
      const rows = await query(sql`SELECT ${reported.list} FROM bridge_tokens WHERE token_id IN (${list([...ids])})`);
      return new Map(rows.map(reported.read).map(({ tokenId, ...words }) => [tokenId, words]));
    },

    async pairOfL2(bridgeId, l2) {
      return pairOf(
        await query(sql`SELECT ${pairs.list} FROM bridge_token_pairs WHERE pair_id = ${`${bridgeId} ${l2}`}`),
      );
    },

    async pairOfL1(bridgeId, l1) {
      return pairOf(
        await query(sql`SELECT ${pairs.list} FROM bridge_token_pairs WHERE bridge_id = ${bridgeId} AND l1_address = ${l1}
          ORDER BY block_number, log_index LIMIT 1`),
      );
    },

    async due({ dlt, networkId }, nowMs, limit) {
      const rows = await query(
        sql`SELECT ${placed.list} FROM bridge_tokens
          WHERE dlt = ${dlt} AND network_id = ${networkId} AND due_at <= ${nowMs} ORDER BY due_at LIMIT ${limit}`,
        { deadlineMs: backgroundDeadlineMs },
      );
      return rows.map(placed.read);
    },

    settle: (tokens, dueAtMs, lease) =>
      writeEach(
        tokens,
        lease,
        (token) => sql`UPDATE bridge_tokens SET symbol = ${token.symbol ?? null}, decimals = ${token.decimals ?? null},
          due_at = ${dueAtMs} WHERE token_id = ${idOf(token)}`,
      ),

    putOff: (tokens, dueAtMs, lease) =>
      writeEach(tokens, lease, (token) => {
        const { symbol, decimals } = token;
        const changes = [
          ...(symbol === undefined ? [] : [sql`symbol = ${symbol}`]),
          ...(decimals === undefined ? [] : [sql`decimals = ${decimals}`]),
          sql`due_at = ${dueAtMs}`,
        ];
        return sql`UPDATE bridge_tokens SET ${list(changes)} WHERE token_id = ${idOf(token)}`;
      }),
  };
}

function idOf({ dlt, networkId, address }: TokenPlace): string {
  return `${dlt} ${networkId} ${address.toLowerCase()}`;
}
