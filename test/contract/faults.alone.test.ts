/**
 * The database, the issuer and the node become unavailable while a gateway runs: it returns the documented refusals
 * quickly and recovers automatically.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { systemClock } from '@flowgate/base/clock';
import { until } from '@flowgate/testing/until';
import { expectRpcError, expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { misbehaviors } from '../../apps/gateway/test/fixtures/issuer.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { openSqliteConnection } from '../../apps/gateway/test/fixtures/sqlite-connection.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

const call = { jsonrpc: '2.0', id: 7, method: 'eth_blockNumber' };
const unavailable = { status: 503, error: 'Service unavailable' };
const keysPath = '/users/me/api-keys';

/** Ten times the gateway's own timeouts, so that only a request that hangs fails the test. */
async function quickly(ask: () => Promise<Response>): Promise<Response> {
  const started = systemClock.monotonic();
  const answer = await ask();
  expect(systemClock.monotonic() - started).toBeLessThan(2_000);
  return answer;
}

const readiness = async (gateway: RunningGateway) => (await gateway.fetch('/readyz')).status;
const bearer = (gateway: RunningGateway, sub?: string) => ({ Authorization: `Bearer ${gateway.token(sub)}` });

describe('the database file', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway({ config: { limits: { userPerMinute: 100_000, invalidPerMinute: 100_000 } } });
  });
  afterAll(() => gateway.stop());

  const parts = ['', '-wal', '-shm'];
  async function moveAway() {
    for (const part of parts)
      if (existsSync(gateway.databaseFile + part))
        await rename(gateway.databaseFile + part, `${gateway.databaseFile}.away${part}`);
  }
  async function moveBack() {
    for (const part of parts)
      if (existsSync(`${gateway.databaseFile}.away${part}`))
        await rename(`${gateway.databaseFile}.away${part}`, gateway.databaseFile + part);
  }
  afterEach(async () => {
    await moveBack();
    await until('the gateway is ready', async () => (await readiness(gateway)) === 200);
  });

  const put: Record<string, () => Promise<unknown>> = {
    'nothing replaces it': async () => {},
    'an empty file replaces it': () => Bun.write(gateway.databaseFile, ''),
    'random bytes replace it': () => Bun.write(gateway.databaseFile, 'x'.repeat(10_000)),
    'a directory replaces it': () => mkdir(gateway.databaseFile),
  };
  for (const [name, replace] of Object.entries(put))
    test(`moved away while ${name}: known keys work, others cannot be verified (503) and are never invalid; afterwards everything works again (contract/keys)`, async () => {
      const sub = `user ${name}`;
      const [cached, cold] = [await gateway.mint(sub), await gateway.mint(sub)];
      expect((await gateway.rpc(cached.apiKey, call)).status).toBe(200);
      await moveAway();
      await replace();
      await until('the loss is noticed', async () => (await readiness(gateway)) === 503);

      expect((await quickly(() => gateway.rpc(cached.apiKey, call))).status).toBe(200);
      expect((await quickly(() => gateway.fetch('/users/me/id', { headers: bearer(gateway, sub) }))).status).toBe(200);
      expect((await quickly(() => gateway.fetch('/healthz'))).status).toBe(200);
      const failed = { status: 500, code: -32002, message: 'Internal server error.', id: 7 };
      for (const key of [cold.apiKey, unknownKey()]) {
        await expectRpcError(await quickly(() => gateway.rpc(key, call)), failed);
        const path = `/rpc/${key}`;
        const inPath = () => gateway.fetch(path, { method: 'POST', body: JSON.stringify(call) });
        await expectRpcError(await quickly(inPath), failed);
        const onRest = () => gateway.fetch('/users/me/id', { headers: { 'X-API-Key': key } });
        await expectStandardError(await quickly(onRest), { ...unavailable, path: '/users/me/id' });
      }
      await expectRpcError(await gateway.rpc('fk_mistyped', call), {
        status: 403,
        code: -32001,
        message: 'Invalid credentials.',
        id: 7,
      });
      const headers = bearer(gateway, sub);
      for (const [method, path] of [
        ['GET', keysPath],
        ['POST', keysPath],
        ['DELETE', `${keysPath}/${cold.keyId}`],
      ] as const) {
        const init = method === 'POST' ? { method, headers, body: '{"label":"lost"}' } : { method, headers };
        await expectStandardError(await quickly(() => gateway.fetch(path, init)), { ...unavailable, path });
      }
      await expectStandardError(await gateway.fetch('/readyz'), { ...unavailable, path: '/readyz' });

      if (name.includes('directory')) await rmdir(gateway.databaseFile);
      else for (const part of parts) await rm(gateway.databaseFile + part, { force: true });
      await moveBack();
      await until('the gateway is ready', async () => (await readiness(gateway)) === 200);
      expect((await gateway.rpc(cold.apiKey, call)).status).toBe(200);
      const listed = await jsonBody(await gateway.fetch(keysPath, { headers }));
      expect(listed['data']).toHaveLength(2);
    });

  test('a revocation that cannot be written applies at once, the response says so, and it is written as soon as possible (contract/keys#the-ten-keys)', async () => {
    const sub = 'revoker';
    const [cached, cold, remaining] = [await gateway.mint(sub), await gateway.mint(sub), await gateway.mint(sub)];
    expect((await gateway.rpc(cached.apiKey, call)).status).toBe(200);
    const other = openSqliteConnection(gateway.databaseFile);
    other.run('BEGIN EXCLUSIVE');
    const remove = (keyId: string, as = sub) =>
      gateway.fetch(`${keysPath}/${keyId}`, { method: 'DELETE', headers: bearer(gateway, as) });
    for (const { keyId, apiKey } of [cached, cold]) {
      const refused = await quickly(() => remove(keyId));
      const message = await expectStandardError(refused, { ...unavailable, path: `${keysPath}/${keyId}` });
      expect(message).toContain('the revocation is not yet written');
      expect((await gateway.rpc(apiKey, call)).status).toBe(403);
    }
    expect((await quickly(() => remove(remaining.keyId, 'a stranger'))).status).toBe(404);
    expect((await gateway.rpc(remaining.apiKey, call)).status).toBe(200);
    other.run('ROLLBACK');
    other.close();
    await until('both are written', async () => {
      const { data } = await jsonBody(await gateway.fetch(keysPath, { headers: bearer(gateway, sub) }));
      return JSON.stringify(data).split('revokedAt').length === 3;
    });
    expect((await remove(cached.keyId)).status).toBe(204);
    expect((await gateway.rpc(cached.apiKey, call)).status).toBe(403);
  });

  test('locked by another process: reads succeed, creating keys is 503 quickly, and succeeds when the lock is released', async () => {
    const { apiKey } = await gateway.mint('locked');
    const other = openSqliteConnection(gateway.databaseFile);
    other.run('BEGIN IMMEDIATE');
    const mint = () =>
      gateway.fetch(keysPath, { method: 'POST', headers: bearer(gateway, 'locked'), body: '{"label":"x"}' });
    await expectStandardError(await quickly(mint), { ...unavailable, path: keysPath });
    expect((await quickly(() => gateway.rpc(apiKey, call))).status).toBe(200);
    other.exec('ROLLBACK');
    other.close();
    await until('a mint succeeds', async () => (await mint()).status === 201);
    const listed = await jsonBody(await gateway.fetch(keysPath, { headers: bearer(gateway, 'locked') }));
    expect(listed['data']).toHaveLength(2);
  });
});

describe('the issuer (contract/tokens)', () => {
  let gateway: RunningGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    key = (await gateway.mint()).apiKey;
  });
  afterAll(() => gateway.stop());

  const whoAmI = (token: string) => () =>
    gateway.fetch('/users/me/id', { headers: { Authorization: `Bearer ${token}` } });
  const unauthorized = { status: 401, error: 'Unauthorized', path: '/users/me/id' };

  test('unavailable after its keys were fetched: tokens still work, and the gateway stays ready', async () => {
    gateway.issuer.behave(misbehaviors.down);
    expect((await quickly(whoAmI(gateway.token()))).status).toBe(200);
    expect(await readiness(gateway)).toBe(200);
    await expectStandardError(await quickly(whoAmI(gateway.token('alice', { aud: 'other' }))), unauthorized);
  });

  test('unavailable when a token names an unknown key: 503, not 401', async () => {
    gateway.issuer.behave(misbehaviors.down);
    gateway.issuer.rotate();
    await expectStandardError(await quickly(whoAmI(gateway.token())), { ...unavailable, path: '/users/me/id' });
  });

  for (const [name, behavior] of Object.entries({
    down: misbehaviors.down,
    rubbish: misbehaviors['answering HTML'],
  }))
    test(`${name} from the start: well-formed tokens are 503, others 401, API keys work; afterwards everything recovers automatically`, async () => {
      gateway.issuer.behave(behavior);
      await gateway.restart();
      const good = gateway.token();
      await expectStandardError(await quickly(whoAmI(good)), { ...unavailable, path: '/users/me/id' });
      const list = () => gateway.fetch(keysPath, { headers: { Authorization: `Bearer ${good}` } });
      await expectStandardError(await quickly(list), { ...unavailable, path: keysPath });
      const hopeless = ['rubbish', 'a.b.c', good.split('.').slice(0, 2).join('.')];
      hopeless.push(gateway.token('alice', { exp: 1_000_000_000 }), gateway.token('alice', { aud: 'other' }));
      for (const token of hopeless) await expectStandardError(await quickly(whoAmI(token)), unauthorized);
      await expectStandardError(await gateway.fetch('/users/me/id'), unauthorized);
      expect((await quickly(() => gateway.rpc(key, call))).status).toBe(200);
      expect((await gateway.fetch('/users/me/id', { headers: { 'X-API-Key': key } })).status).toBe(200);
      const message = await expectStandardError(await gateway.fetch('/readyz'), { ...unavailable, path: '/readyz' });
      expect(message).toContain('identity provider');
      expect((await gateway.fetch('/healthz')).status).toBe(200);

      gateway.issuer.behave('well');
      await until('the gateway is ready', async () => (await readiness(gateway)) === 200);
      expect((await whoAmI(good)()).status).toBe(200);
    });
});

test('a node that was unavailable is used again automatically', async () => {
  const first = startFakeNode();
  const port = Number(new URL(first.url).port);
  const gateway = await startGateway({
    config: {
      networks: [{ dlt: 'a', networkId: 'x', chainId: 31337, nodes: [{ nodeId: 'n', url: first.url }] }],
    },
  });
  let second = first;
  try {
    const { apiKey } = await gateway.mint();
    expect((await gateway.rpc(apiKey, call)).status).toBe(200);
    await first.stop();
    for (let at = 0; at < 3; at++) {
      const answer = await quickly(() => gateway.rpc(apiKey, call));
      await expectStandardError(answer, { status: 502, error: 'Bad gateway', path: '/rpc' });
    }
    expect(await readiness(gateway)).toBe(200);
    second = startFakeNode(port);
    expect((await gateway.rpc(apiKey, call)).status).toBe(200);
  } finally {
    await gateway.stop();
    await second.stop();
  }
});
