/**
 * Measures the cost of stored usage: bytes and microseconds of a row, and queries. `bun
 * apps/gateway/bench/usage-storage.ts [--users 1000] [--minutes 60] [--postgres]`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { testPostgres } from '@flowgate/testing/postgres';
import { binCount } from '../src/usage/duration-bins.ts';
import { createSqlUsageStore } from '../src/usage/sql-usage-store.ts';
import { dayMs, usagePoint, usageSeries } from '../src/usage/usage-store.contract.ts';
import type { RollUpPlace, UsageQuestion } from '../src/usage/usage-store.ts';
import { openAddress } from '../test/fixtures/open-address.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '60' },
    postgres: { type: 'boolean', default: false },
  },
});
const [users, minutes] = [Number(values.users), Number(values.minutes)];
const methods = ['eth_call', 'eth_getBalance', 'eth_blockNumber', 'eth_getLogs', 'eth_sendRawTransaction'];
const minuteMs = 60_000;
const inOneWrite = 200;

const directory = mkdtempSync(join(tmpdir(), 'flowgate-usage-'));
const address = values.postgres ? await (await testPostgres()).freshDatabase() : `sqlite:${join(directory, 'u.db')}`;
const database = await openAddress(address);
const store = createSqlUsageStore(database, systemRandomBytes);
const attempt = await createSqlLeaseStore(database).acquire('usage', 'bench', 3_600_000);
if (!attempt.acquired) throw new Error('the lease was taken');

const series = Array.from({ length: users }, (_, user) =>
  methods.map((method) =>
    usageSeries({ userId: `auth0|5f7c8ec7c33c6c004bbafe${user}`, keyId: `AbCdEfGh${user}`, method }),
  ),
).flat();
/** Eleven requests in four bins. */
const bins = Array.from({ length: binCount }, (_, bin) => [3, 5, 2, 1][bin - 8] ?? 0);
const rows = series.length * minutes;

const began = systemClock.monotonic();
for (let minute = 0; minute < minutes; minute++)
  for (let at = 0; at < series.length; at += inOneWrite) {
    const some = series.slice(at, at + inOneWrite);
    const atMs = dayMs + minute * minuteMs;
    const points = some.map((each) => ({ ...usagePoint(each, atMs, 11, 'abcdefghij:0:0'), bins }));
    await store.write(minute === 0 ? some : [], points, dayMs);
  }
console.log(`${rows} rows, ${perRow(began)} µs to write one`);
await reported('rows');
await ask('before the roll-up');
const rolling = systemClock.monotonic();
let place: RollUpPlace | undefined;
do place = await store.rollUp('minute', dayMs + minutes * minuteMs, place, attempt.lease);
while (place !== undefined);
console.log(`${perRow(rolling)} µs to roll one up`);
await ask('after the roll-up');
await database.close();
rmSync(directory, { recursive: true });
process.exit(0);

function perRow(sinceMs: number): string {
  return (((systemClock.monotonic() - sinceMs) * 1_000) / rows).toFixed(1);
}

async function reported(what: string): Promise<void> {
  const sizes = values.postgres
    ? "SELECT 'usage_minutes' AS name, pg_total_relation_size('usage_minutes') AS bytes"
    : "SELECT 'usage_minutes' AS name, SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE '%usage_minutes%'";
  for (const { bytes } of await database.query(sizes, []))
    console.log(`${(Number(bytes) / rows).toFixed(0)} bytes a row of ${what}`);
}

async function ask(when: string): Promise<void> {
  const range = { fromMs: dayMs, toMs: dayMs + minutes * minuteMs };
  const userId = series[0]?.userId ?? '';
  const questions: Readonly<Record<string, UsageQuestion>> = {
    'a user by minute and method': { ...range, bucket: 'minute', by: 'method', userId },
    'a user by hour': { ...range, bucket: 'hour', by: 'total', userId },
    'all by minute': { ...range, bucket: 'minute', by: 'total' },
    'all by hour and user': { ...range, bucket: 'hour', by: 'user' },
  };
  for (const [name, question] of Object.entries(questions)) {
    const startedMs = systemClock.monotonic();
    await store.read(question, { sums: 1_000, points: 1_000_000 });
    console.log(`${name}, ${when}: ${(systemClock.monotonic() - startedMs).toFixed(0)} ms`);
  }
}
