/**
 * Creating, listing and revoking keys over HTTP (contract/keys; contract/conventions#lists, contract/keys#revocation).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import { until } from '@flowgate/testing/until';
import { expectCommonHeaders, expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { checksumOf } from '../../apps/gateway/test/fixtures/unknown-key.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 100_000 } } });
});
afterAll(() => gateway.stop());

const keysPath = '/users/me/api-keys';
const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const as = (sub: string) => ({ Authorization: `Bearer ${gateway.token(sub)}`, 'Content-Type': 'application/json' });
const mint = (sub: string, body: unknown) =>
  gateway.fetch(keysPath, {
    method: 'POST',
    headers: as(sub),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const revoke = (sub: string, keyId: string) =>
  gateway.fetch(`${keysPath}/${keyId}`, { method: 'DELETE', headers: as(sub) });
const fetchList = (sub: string, query = '') => gateway.fetch(`${keysPath}${query}`, { headers: as(sub) });

async function list(sub: string, query = ''): Promise<{ data: JsonObject[]; nextCursor: unknown }> {
  const response = await fetchList(sub, query);
  expect(response.status).toBe(200);
  const { data, nextCursor, ...more } = await jsonBody(response);
  expect(more).toEqual({});
  if (!Array.isArray(data)) throw new Error('data is no array');
  return { data: data.filter(isJsonObject), nextCursor };
}

async function onlyKey(sub: string): Promise<JsonObject> {
  const { data } = await list(sub);
  const [record] = data;
  if (record === undefined || data.length !== 1) throw new Error(`${data.length} keys instead of one`);
  return record;
}

describe('minting', () => {
  test('creating a key returns 201 with exactly key, keyId, label, scopes and createdAt, once and uncached (contract/conventions, contract/keys#mint)', async () => {
    const before = systemClock.now();
    const response = await mint('mint-shape', { label: 'My laptop' });
    expect(response.status).toBe(201);
    const body = await jsonBody(response);
    const apiKey = String(body['apiKey']);
    expect(body).toEqual({
      apiKey: expect.stringMatching(/^fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/),
      keyId: apiKey.slice(3, 19),
      label: 'My laptop',
      scopes: ['rpc'],
      createdAt: expect.stringMatching(isoForm),
    });
    const createdAtMs = Date.parse(String(body['createdAt']));
    expect(createdAtMs).toBeGreaterThanOrEqual(before);
    expect(createdAtMs).toBeLessThanOrEqual(systemClock.now());
    expect(response.headers.get('location')).toBe(`${keysPath}/${apiKey.slice(3, 19)}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('application/json');
    expectCommonHeaders(response);
  });

  test('the last six characters are the CRC-32 of the preceding ones (contract/keys#form)', async () => {
    const { apiKey } = await gateway.mint('mint-checksum');
    expect(apiKey.slice(-6)).toBe(checksumOf(apiKey.slice(0, -6)));
  });

  test('a given expiresAt is returned in UTC with milliseconds (contract/conventions, contract/keys#mint)', async () => {
    const body = await jsonBody(await mint('mint-expiry', { label: 'x', expiresAt: '2999-01-31T13:30:00+01:30' }));
    expect(body['expiresAt']).toBe('2999-01-31T12:00:00.000Z');
    expect((await onlyKey('mint-expiry'))['expiresAt']).toBe('2999-01-31T12:00:00.000Z');
  });

  test('unknown members are ignored, and null for an optional member means absent (contract/conventions#members)', async () => {
    const response = await mint('mint-null', {
      label: 'x',
      scopes: null,
      expiresAt: null,
      keyId: 'chosen',
      apiKey: 'fk_mine',
      admin: true,
    });
    expect(response.status).toBe(201);
    const body = await jsonBody(response);
    expect(body['scopes']).toEqual(['rpc']);
    expect(body['keyId']).not.toBe('chosen');
    expect(Object.keys(body).sort()).toEqual(['apiKey', 'createdAt', 'keyId', 'label', 'scopes']);
  });

  const prototypes = [
    '{"__proto__":{"label":"x"}}',
    '{"constructor":{"prototype":{"label":"x"}}}',
    '{"label":"x","__proto__":{"scopes":["admin"]},"constructor":null,"toString":1}',
  ];
  test('members named like prototype properties are unknown members', async () => {
    const statuses = await Promise.all(prototypes.map(async (body) => (await mint('mint-prototype', body)).status));
    expect(statuses).toEqual([400, 400, 201]);
  });

  const accepted: Record<string, unknown> = {
    'a label of one character': { label: 'x' },
    'a label of 100 characters': { label: 'x'.repeat(100) },
    'a label of 100 code points that are 200 UTF-16 units': { label: '😀'.repeat(100) },
    'a label with spaces, quotes and markup': { label: ` "'<script>\\/ ` },
    'the scope rpc': { label: 'x', scopes: ['rpc'] },
    'an expiry with an offset': { label: 'x', expiresAt: '2999-01-31T12:00:00-05:00' },
    'an expiry without seconds': { label: 'x', expiresAt: '2999-01-31T12:00Z' },
  };
  for (const [name, body] of Object.entries(accepted))
    test(`accepts ${name}, and returns the label as submitted (contract/keys#mint)`, async () => {
      const response = await mint(`accepts ${name}`, body);
      expect(response.status).toBe(201);
      expect(await jsonBody(response)).toEqual(expect.objectContaining({ label: isJsonObject(body) && body['label'] }));
    });

  test('duplicate scopes are merged (contract/keys#mint)', async () => {
    const body = await jsonBody(await mint('mint-fold', { label: 'x', scopes: ['rpc', 'rpc', 'rpc'] }));
    expect(body['scopes']).toEqual(['rpc']);
    expect((await onlyKey('mint-fold'))['scopes']).toEqual(['rpc']);
  });

  const refusedFor: Record<string, [member: string, body: unknown]> = {
    'no label': ['label', {}],
    'a null label': ['label', { label: null }],
    'an empty label': ['label', { label: '' }],
    'a label of 101 characters': ['label', { label: 'x'.repeat(101) }],
    'a label of 101 emoji': ['label', { label: '😀'.repeat(101) }],
    'a number as label': ['label', { label: 7 }],
    'an array as label': ['label', { label: ['x'] }],
    'a line feed in the label': ['label', { label: 'a\nb' }],
    'a NUL in the label': ['label', { label: 'a\u0000b' }],
    'DEL in the label': ['label', { label: 'a\u007fb' }],
    'a C1 control in the label': ['label', { label: 'a\u0085b' }],
    'a text as scopes': ['scopes', { label: 'x', scopes: 'rpc' }],
    'no scope': ['scopes', { label: 'x', scopes: [] }],
    'eleven scopes': ['scopes', { label: 'x', scopes: new Array(11).fill('rpc') }],
    'another scope': ['scopes', { label: 'x', scopes: ['rpc', 'admin'] }],
    'a scope in capitals': ['scopes', { label: 'x', scopes: ['RPC'] }],
    'a null among the scopes': ['scopes', { label: 'x', scopes: ['rpc', null] }],
    'an expiry in the past': ['expiresAt', { label: 'x', expiresAt: '2001-01-31T12:00:00Z' }],
    'an expiry without a zone': ['expiresAt', { label: 'x', expiresAt: '2999-01-31T12:00:00' }],
    'a date as expiry': ['expiresAt', { label: 'x', expiresAt: '2999-01-31' }],
    'a day that does not exist': ['expiresAt', { label: 'x', expiresAt: '2999-02-30T12:00:00Z' }],
    'a number as expiry': ['expiresAt', { label: 'x', expiresAt: 32503680000000 }],
    'an empty expiry': ['expiresAt', { label: 'x', expiresAt: '' }],
    'words as expiry': ['expiresAt', { label: 'x', expiresAt: 'tomorrow' }],
  };
  for (const [name, [member, body]] of Object.entries(refusedFor))
    test(`refuses ${name} with 400 that names ${member} (contract/keys#mint; contract/conventions, contract/keys#mint)`, async () => {
      const message = await expectStandardError(await mint('mint-refused', body), {
        status: 400,
        error: 'Bad request',
        path: keysPath,
      });
      expect(message).toContain(member);
    });

  for (const body of ['', '[]', 'null', '"label"', '7', '{"label":"x"', '{label:"x"}', '{"label":"x"}}', '\ufeff{}'])
    test(`refuses the body ${JSON.stringify(body)} with 400 (contract/errors#envelopes)`, async () => {
      await expectStandardError(await mint('mint-refused', body), {
        status: 400,
        error: 'Bad request',
        path: keysPath,
      });
    });

  test('a refused request creates no key', async () => {
    expect(await list('mint-refused')).toEqual({ data: [], nextCursor: undefined });
  });

  test('the eleventh active key is 409; revoking or expiry of a key permits another one (contract/keys#the-ten-keys)', async () => {
    const keys = await Promise.all(Array.from({ length: 9 }, () => gateway.mint('eleven')));
    const expiresAtMs = systemClock.now() + 500;
    expect((await mint('eleven', { label: 'x', expiresAt: new Date(expiresAtMs).toISOString() })).status).toBe(201);
    const conflict = { status: 409, error: 'Conflict', path: keysPath };
    await expectStandardError(await mint('eleven', { label: 'x' }), conflict);
    let answer = await mint('eleven', { label: 'after expiry' });
    await until('another key can be created', async () => {
      if (answer.status === 409) answer = await mint('eleven', { label: 'after expiry' });
      return answer.status !== 409;
    });
    expect(answer.status).toBe(201);
    expect(systemClock.now()).toBeGreaterThanOrEqual(expiresAtMs);
    await expectStandardError(await mint('eleven', { label: 'x' }), conflict);
    expect((await revoke('eleven', keys[0]?.keyId ?? '')).status).toBe(204);
    expect((await mint('eleven', { label: 'after revocation' })).status).toBe(201);
    await expectStandardError(await mint('eleven', { label: 'x' }), conflict);
    expect((await list('eleven')).data).toHaveLength(12);
    expect((await mint('another-user', { label: 'x' })).status).toBe(201);
  });

  test('50 concurrent requests with nine active keys create exactly one key (contract/keys#mint)', async () => {
    await Promise.all(Array.from({ length: 9 }, () => gateway.mint('fifty')));
    const answers = await Promise.all(Array.from({ length: 50 }, () => mint('fifty', { label: 'x' })));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
    expect((await list('fifty')).data).toHaveLength(10);
  });
});

describe('listing', () => {
  test('a new key is listed with keyId, label, scopes and createdAt only (contract/keys#list; contract/keys#mint)', async () => {
    const minted = await jsonBody(await mint('list-fresh', { label: 'fresh' }));
    const { apiKey, ...record } = minted;
    expect(await onlyKey('list-fresh')).toEqual(record);
    expect(apiKey).toBeString();
  });

  test('the list never contains the secret, and is not cached (contract/keys#list; contract/conventions#secrets)', async () => {
    const { apiKey } = await gateway.mint('list-secret');
    const response = await fetchList('list-secret');
    expect(response.headers.get('content-type')).toBe('application/json');
    const text = await response.text();
    expect(text).not.toContain(apiKey.slice(20));
    expect(text).not.toContain('fk_');
  });

  test('lastUsedAt is absent until the first use and exact afterwards, on every surface (contract/keys#last-use)', async () => {
    const { apiKey } = await gateway.mint('list-used');
    expect(await onlyKey('list-used')).not.toHaveProperty('lastUsedAt');
    let lastMs = 0;
    const uses = [
      () => gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }),
      () => gateway.fetch('/users/me/id', { headers: { 'X-API-Key': apiKey } }),
      () =>
        gateway.fetch(`/rpc/${apiKey}`, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' }),
    ];
    for (const use of uses) {
      const before = systemClock.now();
      await use();
      const after = systemClock.now();
      const { lastUsedAt } = await onlyKey('list-used');
      expect(lastUsedAt).toMatch(isoForm);
      const usedAtMs = Date.parse(String(lastUsedAt));
      expect(usedAtMs).toBeGreaterThanOrEqual(Math.max(before, lastMs));
      expect(usedAtMs).toBeLessThanOrEqual(after);
      lastMs = usedAtMs;
    }
  });

  test('an attempt with a wrong secret does not count as a use (contract/keys)', async () => {
    const { apiKey } = await gateway.mint('list-attempt');
    const head = `${apiKey.slice(0, 20)}${'a'.repeat(43)}`;
    expect((await gateway.rpc(head + checksumOf(head), { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).status).toBe(
      403,
    );
    expect(await onlyKey('list-attempt')).not.toHaveProperty('lastUsedAt');
  });

  test('the list does not contain keys of other users (contract/conventions)', async () => {
    await gateway.mint('list-mine');
    expect((await list('list-nothing')).data).toEqual([]);
  });

  test('pages are complete and newest first, with limit and cursor (contract/conventions#lists)', async () => {
    const labels = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
    for (const label of labels) await gateway.mint('list-pages', { label });
    const seen: unknown[] = [];
    let query = '?limit=3';
    for (const size of [3, 3, 1]) {
      const { data, nextCursor } = await list('list-pages', query);
      seen.push(...data.map((record) => record['label']));
      expect(data).toHaveLength(size);
      expect(typeof nextCursor).toBe(size === 3 ? 'string' : 'undefined');
      query = `?limit=3&cursor=${encodeURIComponent(String(nextCursor))}`;
    }
    expect(new Set(seen)).toEqual(new Set(labels));
    const created = (await list('list-pages')).data.map((record) => String(record['createdAt']));
    expect(created).toEqual([...created].sort().reverse());
  });

  test('a page that ends with the last key has no nextCursor (contract/conventions#lists)', async () => {
    await gateway.mint('list-exact');
    await gateway.mint('list-exact');
    expect((await list('list-exact', '?limit=2')).nextCursor).toBeUndefined();
    expect((await list('list-exact', '?limit=100')).nextCursor).toBeUndefined();
    expect((await list('list-exact', '?limit=1')).nextCursor).toBeString();
  });

  const badQueries = ['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=x', 'limit=', 'limit=1e1'];
  badQueries.push(
    'cursor=',
    'cursor=rubbish',
    'cursor=..%2F',
    'cursor=MTIzLjEyMw',
    'limit=%00',
    `cursor=${'A'.repeat(500)}`,
  );
  for (const query of badQueries)
    test(`?${query.slice(0, 30)} is 400 and names the parameter (contract/conventions)`, async () => {
      const message = await expectStandardError(await fetchList('list-pages', `?${query}`), {
        status: 400,
        error: 'Bad request',
        path: keysPath,
      });
      expect(message).toContain(query.split('=')[0] ?? '');
    });

  test('an unknown query parameter is ignored (contract/conventions)', async () => {
    expect((await fetchList('list-pages', '?offset=3&%F0%9F%98%80=1')).status).toBe(200);
  });
});

describe('revoking', () => {
  test('revoking returns 204 without a body; the key stays in the list with revokedAt (contract/keys)', async () => {
    const { keyId } = await gateway.mint('revoke-once');
    const before = systemClock.now();
    const response = await revoke('revoke-once', keyId);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expectCommonHeaders(response);
    const { revokedAt } = await onlyKey('revoke-once');
    expect(revokedAt).toMatch(isoForm);
    expect(Date.parse(String(revokedAt))).toBeGreaterThanOrEqual(before);
  });

  test('revoking again is 204 and leaves revokedAt unchanged (contract/keys#revocation)', async () => {
    const { keyId } = await gateway.mint('revoke-again');
    expect((await revoke('revoke-again', keyId)).status).toBe(204);
    const first = await onlyKey('revoke-again');
    const at = systemClock.now();
    await until(() => systemClock.now() > at);
    expect((await revoke('revoke-again', keyId)).status).toBe(204);
    expect(await onlyKey('revoke-again')).toEqual(first);
  });

  test("another user's key is 404, exactly like an unknown key (contract/conventions#ids, contract/keys)", async () => {
    const { keyId, apiKey } = await gateway.mint('revoke-owner');
    const foreign = await revoke('revoke-stranger', keyId);
    const absent = await revoke('revoke-stranger', 'ABCDEFGHabcdefgh');
    const notFound = (id: string) => ({ status: 404, error: 'Not found', path: `${keysPath}/${id}` });
    expect(await expectStandardError(foreign, notFound(keyId))).toBe(
      await expectStandardError(absent, notFound('ABCDEFGHabcdefgh')),
    );
    expect((await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).status).toBe(200);
    expect(await onlyKey('revoke-owner')).not.toHaveProperty('revokedAt');
  });

  for (const id of ['x', 'ABCDEFGHabcdefg', 'ABCDEFGHabcdefghi', '%00', "'%20OR%201=1--", '%F0%9F%98%80', '%2e%2e'])
    test(`the id ${id} is 404 (contract/keys)`, async () => {
      const response = await revoke('revoke-stranger', id);
      expect(response.status).toBe(404);
    });

  test('a whole key in place of its id is 404 and appears masked (contract/conventions#secrets)', async () => {
    const { apiKey, keyId } = await gateway.mint('revoke-whole');
    await expectStandardError(await revoke('revoke-whole', apiKey), {
      status: 404,
      error: 'Not found',
      path: `${keysPath}/fk_${keyId}.***`,
    });
    expect(await onlyKey('revoke-whole')).not.toHaveProperty('revokedAt');
  });

  test('rotation: old and new key both work until the old one is revoked (contract/keys)', async () => {
    const old = await gateway.mint('rotate');
    const fresh = await gateway.mint('rotate');
    const status = async (apiKey: string) =>
      (await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).status;
    expect([await status(old.apiKey), await status(fresh.apiKey)]).toEqual([200, 200]);
    await revoke('rotate', old.keyId);
    expect([await status(old.apiKey), await status(fresh.apiKey)]).toEqual([403, 200]);
  });
});
