/** Pages of many wallets: each record once, in one order, while others arrive. Each part is a short index read, regardless of the number of stored records. */

import { expect, test } from 'bun:test';
import type { Position } from '@flowgate/base/page';
import type { Database, SqlValue } from '@flowgate/sql/engine/database';
import { sql } from '@flowgate/sql/engine/sql-text';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { readWalletPage, type WalletPageTerms, walletPageStatements } from './sql-wallet-page.ts';

type Row = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly partition: string;
  readonly atMs: number;
};

const columns = `swap_id, stream_id, pool, transaction_hash, nth, block_number, block_hash, created_at, status,
  from_address, nonce, sender_address, to_address, token_in, amount_in, token_out, amount_out`;

async function insert(database: Database, rows: readonly Row[]): Promise<void> {
  const values = rows.flatMap(({ id, from, to, partition, atMs }): SqlValue[] => [id, partition, id, atMs, from, to]);
  const row = `(?, ?, 'p', ?, 0, 1, 'b', ?, 'completed', ?, 0, 'router', ?, 'in', '1', 'out', '2')`;
  const text = `INSERT INTO bridge_swaps (${columns}) VALUES ${rows.map(() => row).join(', ')}`;
  await database.transaction([{ text, values }]);
}

/** `count` swaps of one wallet, all at the same time, written by the engine itself. */
async function fill(database: Database, name: string, from: string, count: number): Promise<void> {
  const text = `INSERT INTO bridge_swaps (${columns})
    WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < CAST(? AS BIGINT))
    SELECT '${name}' || (1000000 + n), 'swaps', 'p', '${name}' || n, 0, 1, 'b', 5000, 'completed', '${from}', 0, 'router', 'dust', 'in', '1', 'out', '2' FROM counted`;
  await database.transaction([{ text, values: [count] }]);
}

function termsOf(
  addresses: readonly string[],
  partitions: readonly string[],
  page: WalletPageTerms['page'],
): WalletPageTerms {
  const places = addresses.flatMap((address) => partitions.map((partition) => ({ address, partition })));
  return {
    table: 'bridge_swaps',
    id: 'swap_id',
    partition: 'stream_id',
    roles: ['from_address', 'to_address'].map((column) => ({ column, places })),
    only: sql`lost_at IS NULL`,
    page,
  };
}

async function walk(
  database: Database,
  terms: WalletPageTerms,
  between: () => Promise<void> = async () => {},
): Promise<Position[]> {
  const all: Position[] = [];
  let after = terms.page.after;
  do {
    const { limit } = terms.page;
    const { records, next } = await readWalletPage(database, { ...terms, page: after ? { limit, after } : { limit } });
    all.push(...records);
    after = next;
    await between();
  } while (after !== undefined);
  return all;
}

onEveryEngine((engine, open) => {
  test('each record of any wallet once, by time and id, with ties, time filters, and more parts than one statement has', async () => {
    const { database } = await open();
    const chance = chanceFrom(7);
    const wallets = Array.from({ length: 20 }, (_, at) => `wallet${at}`);
    const partitions = Array.from({ length: 6 }, (_, at) => `swaps/${at}`);
    const pick = (among: readonly string[]) => among[chance(among.length)] ?? '';
    const rows = Array.from({ length: 300 }, (_, at): Row => {
      const [from, to] = [pick([...wallets, 'x', 'y']), pick([...wallets, 'x', 'y'])];
      return { id: `swp_${1000 + at}`, from, to, partition: pick([...partitions, 'other']), atMs: chance(40) };
    });
    await insert(database, rows);
    const mine = (some: readonly string[], among = rows) =>
      among
        .filter(({ from, to, partition }) => partition !== 'other' && (some.includes(from) || some.includes(to)))
        .toSorted((one, other) => other.atMs - one.atMs || (one.id < other.id ? 1 : -1))
        .map(({ atMs, id }) => ({ atMs, id }));
    const terms = termsOf(wallets, partitions, { limit: 60 });
    expect(walletPageStatements(terms)).toHaveLength(3);
    expect(await walk(database, terms)).toEqual(mine(wallets));
    expect(await walk(database, termsOf(['wallet3'], partitions, { limit: 5 }))).toEqual(mine(['wallet3']));
    const within = { ...terms, newerThanMs: 10, page: { limit: 60, after: { atMs: 30, id: '' } } };
    const expected = mine(wallets).filter(({ atMs }) => atMs > 10 && atMs < 30);
    expect(expected.length).toBeGreaterThan(40);
    expect(await walk(database, within)).toEqual(expected);
    expect(await readWalletPage(database, termsOf([], partitions, { limit: 5 }))).toEqual({ records: [] });
  });

  test('few statement texts for any number of wallets: an engine stores each of them prepared', async () => {
    const { database } = await open();
    await insert(database, [{ id: 'swp_1', from: 'w4', to: 'w0', partition: 's', atMs: 1 }]);
    const texts = new Set<string>();
    for (let count = 1; count <= 20; count++) {
      const terms = termsOf(
        Array.from({ length: count }, (_, at) => `w${at}`),
        ['s'],
        { limit: 5 },
      );
      for (const { text } of walletPageStatements(terms)) texts.add(text);
      if (count % 7 === 0) expect((await readWalletPage(database, terms)).records).toEqual([{ atMs: 1, id: 'swp_1' }]);
    }
    expect(texts.size).toBe(9);
  });

  test('records that existed are each returned once, while others arrive between the pages', async () => {
    const { database } = await open();
    const row = (id: string, atMs: number): Row => ({ id, from: 'a', to: 'b', partition: 's', atMs });
    const before = Array.from({ length: 30 }, (_, at) => row(`old${100 + at}`, Math.floor(at / 4)));
    await insert(database, before);
    let pages = 0;
    const met = await walk(database, termsOf(['a', 'b'], ['s'], { limit: 4 }), async () => {
      pages += 1;
      if (pages < 9)
        await insert(
          database,
          Array.from({ length: 9 }, (_, at) => row(`new${pages}${at}`, at)),
        );
    });
    const ids = met.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id.startsWith('old')).toSorted()).toEqual(before.map(({ id }) => id));
  });

  test('every part is an index read that ends at the limit, regardless of the records of a wallet and its senders of dust', async () => {
    const { database } = await open();
    const blocks: number[] = [];
    const terms = {
      ...termsOf(['whale', 'dust'], ['swaps', 'others'], { limit: 20, after: { atMs: 5000, id: 'n11002000' } }),
      newerThanMs: 10,
    };
    const [statement] = walletPageStatements(terms);
    if (statement === undefined) throw new Error('no statement');
    // The same number again each time: n, 2n, 4n.
    for (const [at, count] of [4_000, 4_000, 8_000].entries()) {
      await fill(database, `n${at + 1}`, 'whale', count);
      await fill(database, `d${at + 1}`, `stranger${at}`, count);
      if (engine === 'SQLite') {
        const plan = await database.query(`EXPLAIN QUERY PLAN ${statement.text}`, statement.values);
        const parts = plan.filter(({ detail }) => detail === 'CO-ROUTINE part').map(({ id }) => id);
        expect(parts).toHaveLength(8);
        // A search without a sort: it ends at the limit.
        for (const { detail } of plan.filter(({ parent }) => parts.includes(parent)))
          expect(String(detail)).toMatch(
            /^SEARCH bridge_swaps USING (COVERING )?INDEX bridge_swaps_by_(from|to) \((from|to)_address=\? AND stream_id=\? AND created_at>\? AND \(created_at,swap_id\)<\(\?,\?\)\)$/,
          );
      } else {
        await database.transaction([{ text: 'ANALYZE bridge_swaps', values: [] }]);
        const [row] = await database.query(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`,
          statement.values,
        );
        const plan = JSON.stringify(row);
        expect(plan).not.toContain('Seq Scan');
        blocks.push(Number(/"Shared Hit Blocks":(\d+)/.exec(plan)?.[1]));
      }
    }
    // An index of four times the size may be one level deeper.
    const [first = 0, , last = 0] = blocks;
    if (engine === 'PostgreSQL') expect(first).toBeGreaterThan(0);
    expect(last - first).toBeLessThanOrEqual(8);
  });

  test("records that are requested by id are looked up by id, regardless of the wallet's other records", async () => {
    const { database } = await open();
    const wanted = { text: "SELECT 'w11000005' AS wanted_id UNION SELECT 'absent' AS wanted_id", values: [] };
    const terms = { ...termsOf(['whale'], ['swaps'], { limit: 20 }), within: wanted };
    const [statement] = walletPageStatements(terms);
    if (statement === undefined) throw new Error('no statement');
    const blocks: number[] = [];
    for (const [at, count] of [2_000, 2_000, 4_000].entries()) {
      await fill(database, `w${at + 1}`, 'whale', count);
      expect((await readWalletPage(database, terms)).records.map(({ id }) => id)).toEqual(['w11000005']);
      if (engine === 'SQLite') {
        const plan = await database.query(`EXPLAIN QUERY PLAN ${statement.text}`, statement.values);
        const reads = plan.map(({ detail }) => String(detail)).filter((detail) => detail.includes('bridge_swaps'));
        expect(reads.length).toBeGreaterThan(0);
        for (const read of reads) expect(read).toMatch(/^SEARCH bridge_swaps USING .*\(swap_id=\?\)$/);
      } else {
        await database.transaction([{ text: 'ANALYZE bridge_swaps', values: [] }]);
        const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`;
        const [row] = await database.query(explain, statement.values);
        blocks.push(Number(/"Shared Hit Blocks":(\d+)/.exec(JSON.stringify(row))?.[1]));
      }
    }
    const [first = 0, , last = 0] = blocks;
    if (engine === 'PostgreSQL') expect(first).toBeGreaterThan(0);
    expect(last - first).toBeLessThanOrEqual(8);
  });
});
