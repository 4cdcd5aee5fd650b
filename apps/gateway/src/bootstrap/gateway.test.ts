/** A failed start leaves nothing open, for any module that could not be opened. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { until } from '@flowgate/testing/until';
import { stringify } from 'yaml';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config-file.ts';
import { compose } from './gateway.ts';

let directory: string;
let redis: TestRedis | undefined;
/** Listens on the gateway's port. */
const squatter = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });

beforeAll(async () => {
  if (redisMissing === undefined) redis = await startRedis();
});
afterAll(async () => {
  squatter.stop(true);
  await redis?.stop();
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flowgate-compose-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function configuration(more: { readonly port?: number; readonly embeddedApps?: readonly string[] } = {}): Config {
  const text = stringify({
    server: { host: '127.0.0.1', port: more.port ?? 0, drainSeconds: 1 },
    storage: {
      database: `sqlite:${join(directory, 'flowgate.db')}`,
      ...(redis === undefined ? {} : { redis: redis.url }),
    },
    keys: { peppers: ['pepper-for-tests-0123456789abcdefghijk'] },
    identity: { issuer: 'http://127.0.0.1:9', audience: 'flowgate' },
    networks: [],
    flow: { embeddedApps: more.embeddedApps ?? [] },
  });
  const loaded = readConfig(text, {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const launch = (lines: string[] = []) => ({
  version: '0.0.0',
  writeLog: (written: string) => void lines.push(written),
});

/** After an orderly end the database's file and its reserve file are left, no log and no connection. */
async function expectNothingOpen(): Promise<void> {
  expect(readdirSync(directory).sort()).toEqual(['flowgate.db', 'flowgate.db-reserve']);
  if (redis !== undefined) await until('no connection to Redis is open', async () => (await clients()) === 0);
}

/** The number of connections to Redis, without the one that asks. */
async function clients(): Promise<number> {
  const listed = (await redis?.cli('CLIENT', 'LIST')) ?? '';
  return listed.split('\n').filter((line) => line !== '' && !line.includes('cmd=client')).length;
}

test.each([
  ['a port that is taken', () => configuration({ port: squatter.port }), /port|in use|EADDRINUSE/i],
  [
    'an embedded app that cannot be run',
    () => configuration({ embeddedApps: ['./no-such-module.ts'] }),
    /no-such-module/,
  ],
])('%s ends the start with its own reason, and what was opened before is closed', async (_what, config, reason) => {
  await expect(compose(config(), launch())).rejects.toThrow(reason);
  await expectNothingOpen();
});

test('a gateway that was drained has closed everything, and another one can be opened on the same files', async () => {
  const lines: string[] = [];
  for (const _time of ['first', 'second']) {
    const gateway = await compose(configuration(), launch(lines));
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    if (redis !== undefined) expect(await clients()).toBeGreaterThan(1);
    expect(await gateway.drain('SIGTERM')).toBe(0);
    await expectNothingOpen();
  }
  expect(lines.join('').match(/"event":"gateway\.(listening|stopped)"/g)).toHaveLength(4);
});
