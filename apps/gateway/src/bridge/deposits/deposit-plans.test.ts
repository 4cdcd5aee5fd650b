/** Every statement about deposits is served by an index, so its cost does not depend on the number of stored deposits. */

import { Database as Sqlite } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import { sqliteDialect } from '@flowgate/sql/engine/dialect';
import { bridgeTransactionsMigration } from '../bridge-schema.ts';
import type { DepositFact, RelayFact } from '../facts/deposit-facts.ts';
import { noFacts } from '../facts/range-facts.ts';
import { indexSchema } from '../indexing/index-schema.ts';
import type { DepositRecord } from './deposit.ts';
import { depositSchema } from './deposit-schema.ts';
import { createSqlDepositProgressStore } from './sql-deposit-progress-store.ts';
import { loseDeposits, storeDeposits } from './sql-deposit-statements.ts';
import { createSqlDepositStore } from './sql-deposit-store.ts';
import { loseRelays, storeRelays } from './sql-relay-statements.ts';

const sqlite = new Sqlite(':memory:');
const later = bridgeTransactionsMigration.statements.flatMap((text) =>
  typeof text === 'string' && text.includes(' ON bridge_deposits ') ? [text] : [],
);
for (const text of [...indexSchema, ...depositSchema, ...later]) sqlite.run(text);

/** SQLite's query plan of a statement. */
function stepsOf({ text, values }: Statement): readonly string[] {
  const rows = sqlite
    .query<{ detail: string }, (string | number | null)[]>(`EXPLAIN QUERY PLAN ${text}`)
    .all(...values);
  return rows.map(({ detail }) => detail).filter((detail) => /\b(bridge_|relay\b)/.test(detail));
}

/** Scans a table, or all rows of a bridge. */
const isWalk = (step: string) => /^SCAN /.test(step) || /\(bridge_id=\?\)$/.test(step);

const place = {
  transactionHash: '0x1',
  nth: 0,
  blockNumber: 5,
  blockHash: '0x2',
  logIndex: 0,
  blockTimeMs: 1,
} as const;
const deposits: readonly DepositFact[] = [
  {
    ...place,
    transaction: { from: '0x3', nonce: 1 },
    deposit: {
      ...{ kind: 'native', token: { native: true }, amount: 1n, from: '0x3', to: '0x3' },
      ...{ l2TransactionHash: '0x4', messageHash: '0x5' },
    },
  },
];
const relays: readonly RelayFact[] = [5, 6, 7].map((nth) => ({
  ...place,
  nth,
  messageHash: `0x${nth}`,
  isRelayed: true,
}));

/** A database that records the statements, answers reads with `rows`, and explains every statement. */
function explaining(rows: readonly Row[]): { readonly database: Database; readonly steps: string[] } {
  const steps: string[] = [];
  return {
    steps,
    database: {
      dialect: sqliteDialect(() => 1),
      async query(text, values) {
        steps.push(...stepsOf({ text, values }));
        return text.includes('AS record_id') || text.startsWith('SELECT deposit_id FROM') ? rows : [];
      },
      async transaction(statements) {
        for (const statement of statements) steps.push(...stepsOf(statement));
        return statements.map(() => []);
      },
      ping: async () => undefined,
      close: async () => undefined,
    },
  };
}

test('statements that index deposits and revert them', () => {
  const source = { bridgeId: 'main', nowMs: 1, newId: () => 'dep_1' };
  const facts = { ...noFacts, deposits, relays };
  const statements = [
    ...storeDeposits(facts, { ...source, streamId: 'main/l1' }),
    ...storeRelays(facts, { ...source, streamId: 'main/l2' }),
    ...[7, Number.MAX_SAFE_INTEGER].flatMap((upTo) => [
      ...loseDeposits({ streamId: 'main/l1', keep: 1, upTo, nowMs: 1 }),
      ...loseRelays({ streamId: 'main/l2', keep: 1, upTo, nowMs: 1 }),
    ]),
  ];
  const steps = statements.flatMap(stepsOf);
  expect(steps.length).toBeGreaterThan(30);
  expect(steps.filter(isWalk)).toEqual([]);
});

test('statements that read, and those that the leader writes', async () => {
  const { database, steps } = explaining([{ deposit_id: 'dep_1', record_id: 'dep_1', created_at: 1 }]);
  const [store, progress] = [createSqlDepositStore(database), createSqlDepositProgressStore(database)];
  const deposit = { depositId: 'dep_1', bridgeId: 'main', l2Hash: '0x4', resetAtMs: 1, lostAtMs: 1 } as DepositRecord;
  const [fence, limits] = [
    { lease: { name: 'bridge main', token: 1 }, epochs: [] },
    { confirmed: 9, relaying: 5 },
  ];
  const places = [{ address: '0x3', partition: 'main' }];
  const bridge = { bridgeId: 'main', stalledAfterMs: 1 };
  await store.list({ senders: places, receivers: places, page: { limit: 5 } });
  await store.list({
    senders: places,
    receivers: places,
    statuses: ['failed', 'pending'],
    transactionHash: '0x5',
    newerThanMs: 1,
    page: { limit: 5, after: { atMs: 5, id: 'a' } },
  });
  await store.find('dep_1');
  await store.claimChecks(['dep_1'], 1, 1);
  await store.storeReasons([{ deposit, reason: '' }]);
  await progress.isAnyOpen('main');
  await progress.advance(bridge, limits, 5, 1, fence);
  await progress.due('main', 5, 1, 5);
  await progress.end([{ deposit, status: 'completed', l2Block: 1, l2BlockHash: '0x' }], 1, fence);
  await progress.putOff(
    [true, false].map((isAbsent) => ({ deposit, dueAtMs: 1, isAbsent })),
    limits,
    1,
    fence,
  );
  await progress.lost('main', 1, 5);
  await progress.giveUp([deposit], 1, fence);
  await progress.stalled(bridge, 5, 1, fence);
  expect(steps.length).toBeGreaterThan(15);
  // One row of each at most: only whether there is any.
  const isOne = (step: string) =>
    /bridge_deposits_(by_due|open|reset) .*IS NOT|_by_due \(bridge_id=\? AND open_block>\?\)/.test(step);
  expect(steps.filter((step) => isWalk(step) && !isOne(step))).toEqual([]);
});
