/** `flowgate migrate-data` from a used SQLite file to an empty PostgreSQL: API keys still work afterwards. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { postgresMissing } from '@flowgate/testing/postgres';
import { migratedDatabase } from '../../apps/gateway/test/fixtures/migrated-database.ts';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let used: RunningGateway;
beforeAll(async () => {
  used = await startGateway();
});
afterAll(() => used.stop());

describe.skipIf(postgresMissing !== undefined)('from SQLite to PostgreSQL', () => {
  test('keys created on SQLite work on PostgreSQL, revoked ones do not, and the list is the same', async () => {
    const active = await used.mint();
    const revoked = await used.mint();
    const authorization = { Authorization: `Bearer ${used.token()}` };
    await used.fetch(`/users/me/api-keys/${revoked.keyId}`, { method: 'DELETE', headers: authorization });
    const before = await (await used.fetch('/users/me/api-keys', { headers: authorization })).json();
    used.process.kill('SIGTERM');
    expect(await used.process.exited).toBe(0);

    const database = await migratedDatabase();
    const moved = await runFlowgate(
      ['migrate-data', '--from', `sqlite:${used.databaseFile}`, '--to', '${DATABASE_URL}'],
      { DATABASE_URL: database },
    );
    expect(moved.stderr).toBe('');
    expect(moved.code).toBe(0);
    expect(moved.stdout).toMatch(/api_keys: 2 rows on both sides, SHA-256 [0-9a-f]{64}/);
    expect(moved.stdout).toContain('Both databases are equal.');

    const many = await startGateway({
      config: { storage: { database }, identity: { issuer: used.issuer.issuer, audience: used.issuer.audience } },
    });
    try {
      const after = await (await many.fetch('/users/me/api-keys', { headers: authorization })).json();
      expect(after).toEqual(before);
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' };
      expect((await many.rpc(active.apiKey, call)).status).toBe(200);
      expect((await many.rpc(revoked.apiKey, call)).status).toBe(403);
    } finally {
      await many.stop();
    }
  });
});

test.each([
  [['--from', 'sqlite:/nowhere/at/all.db', '--to', 'sqlite:./to.db'], 1, 'there is no file'],
  [['--from', 'sqlite::memory:', '--to', 'sqlite:./to.db'], 1, '--from must be'],
  [['--from', 'sqlite:./a.db', '--to', 'mysql://x'], 1, '--to must be'],
  [['--from', 'sqlite:./a.db', '--to', 'sqlite:./a.db'], 1, 'the same database'],
  [['--from', '${NOT_SET}', '--to', 'sqlite:./a.db'], 2, 'environment variable'],
  [['--from', 'sqlite:./a.db'], 2, 'needs --from'],
])('%p is refused with %i', async (args, code, sentence) => {
  const ended = await runFlowgate(['migrate-data', ...args]);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(sentence);
});

test('a file that is no database of Flowgate is refused and not changed', async () => {
  const file = join(used.directory, 'other.db');
  await Bun.write(file, 'not a database');
  const ended = await runFlowgate([
    'migrate-data',
    '--from',
    `sqlite:${file}`,
    '--to',
    `sqlite:${join(used.directory, 'to.db')}`,
  ]);
  expect(ended.code).toBe(1);
  expect(await Bun.file(file).text()).toBe('not a database');
});
