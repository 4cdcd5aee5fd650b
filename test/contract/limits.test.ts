/**
 * Rate limits over HTTP: which requests count, what the headers report, and that no caller exceeds the limit
 * (contract/limits).
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { expectStandardError, limitsOf } from '../../apps/gateway/test/fixtures/answers.ts';
import { wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

const limit = 20;
const invalidLimit = 5;
/** Trusts X-Forwarded-For from this machine, so that tests can use many addresses. */
let gateway: RunningGateway;
/** Trusts no proxy. */
let plain: RunningGateway;

beforeAll(async () => {
  const limits = { userPerMinute: limit, invalidPerMinute: invalidLimit, maxBatch: 10, maxBodyBytes: 2000 };
  gateway = await startGateway({
    config: { limits, server: { trustedProxies: ['127.0.0.1', '10.0.0.0/8'], bodyTimeoutSeconds: 0.2 } },
  });
  plain = await startGateway({ config: { limits: { ...limits, userPerMinute: 300 } } });
});
afterAll(() => Promise.all([gateway.stop(), plain.stop()]));
beforeEach(() => gateway.node.behave(wellBehaved));

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
const bearer = (sub: string) => ({ Authorization: `Bearer ${gateway.token(sub)}` });
const whoAmI = (headers: Record<string, string>) => gateway.fetch('/users/me/id', { headers });

async function spend(sub: string, count: number) {
  await Promise.all(Array.from({ length: count }, () => whoAmI(bearer(sub))));
}

describe('headers', () => {
  const answers: Record<string, [status: number, ask: (key: string, sub: string) => Promise<Response>]> = {
    'a REST answer': [200, (_, sub) => whoAmI(bearer(sub))],
    'a list': [200, (_, sub) => gateway.fetch('/users/me/api-keys', { headers: bearer(sub) })],
    'a minted key': [201, (_, sub) => post('/users/me/api-keys', bearer(sub), '{"label":"x"}')],
    'a refused mint': [400, (_, sub) => post('/users/me/api-keys', bearer(sub), '{}')],
    'a body that is no JSON': [400, (_, sub) => post('/users/me/api-keys', bearer(sub), '{')],
    'a body of another type': [
      415,
      (_, sub) => post('/users/me/api-keys', { ...bearer(sub), 'Content-Type': 'text/html' }, '{}'),
    ],
    'a body that is too large': [413, (_, sub) => post('/users/me/api-keys', bearer(sub), 'x'.repeat(2001))],
    'a forbidden route': [403, (key) => gateway.fetch('/users/me/api-keys', { headers: { 'X-API-Key': key } })],
    'an absent key': [
      404,
      (_, sub) => gateway.fetch('/users/me/api-keys/ABCDEFGHabcdefgh', { method: 'DELETE', headers: bearer(sub) }),
    ],
    'an absent network': [404, (key) => gateway.rpc(key, call, '/dlts/a/networks/b/rpc')],
    'a call': [200, (key) => gateway.rpc(key, call)],
    'a call with the key in its path': [200, (key) => post(`/rpc/${key}`, {}, call)],
    'a notification': [204, (key) => gateway.rpc(key, '{"jsonrpc":"2.0","method":"eth_chainId"}')],
    'a parse error': [400, (key) => gateway.rpc(key, '{')],
    'an invalid request': [400, (key) => gateway.rpc(key, '{}')],
    'a blocked method': [403, (key) => gateway.rpc(key, '{"jsonrpc":"2.0","id":1,"method":"admin_peers"}')],
    'a call of another type': [415, (key) => post('/rpc', { 'X-API-Key': key, 'Content-Type': 'text/plain' }, call)],
    'a call that is too large (contract/bounds#sizes: a request body)': [
      413,
      (key) => gateway.rpc(key, 'x'.repeat(2001)),
    ],
    'a node that fails': [502, (key) => gateway.rpc(key, '{"jsonrpc":"2.0","id":1,"method":"eth_call"}')],
  };
  for (const [name, [status, ask]] of Object.entries(answers))
    test(`are on ${name} (${status}), which counts as one (contract/limits)`, async () => {
      gateway.node.behave((body) => (body.includes('eth_call') ? new Response('rubbish') : wellBehaved(body)));
      const sub = `headers ${name}`;
      const { apiKey } = await gateway.mint(sub);
      const before = systemClock.now();
      const answer = await ask(apiKey, sub);
      const { limit: of, remaining, reset } = limitsOf(answer);
      expect([answer.status, of, remaining]).toEqual([status, limit, limit - 2]);
      expect(reset * 1000).toBeGreaterThanOrEqual(before + 50_000);
      expect(reset * 1000).toBeLessThanOrEqual(systemClock.now() + 61_000);
      expect(limitsOf(await whoAmI(bearer(sub))).remaining).toBe(limit - 3);
    });

  test('are on no response before authentication (contract/limits)', async () => {
    const unauthenticated = [
      await gateway.fetch('/healthz'),
      await gateway.fetch('/nowhere', { headers: bearer('newcomer') }),
      await gateway.fetch('/users/me/id', { method: 'DELETE', headers: bearer('newcomer') }),
      await whoAmI({}),
      await whoAmI({ 'X-API-Key': unknownKey(), 'X-Forwarded-For': '203.0.113.77' }),
      await gateway.fetch('/rpc', { method: 'OPTIONS' }),
    ];
    for (const { headers } of unauthenticated)
      for (const name of ['limit', 'remaining', 'reset']) expect(headers.has(`x-ratelimit-${name}`)).toBe(false);
    expect(limitsOf(await whoAmI(bearer('newcomer'))).remaining).toBe(limit - 1);
  });

  test('Reset is when the oldest request leaves the window, also when others follow (contract/limits)', async () => {
    const before = systemClock.now();
    const first = limitsOf(await whoAmI(bearer('reset')));
    const after = systemClock.now();
    expect(first.reset).toBeGreaterThanOrEqual(Math.floor((before + 60_000) / 1000));
    expect(first.reset).toBeLessThanOrEqual(Math.ceil((after + 60_000) / 1000));
    const resets = await Promise.all(
      Array.from({ length: 10 }, async () => limitsOf(await whoAmI(bearer('reset'))).reset),
    );
    for (const reset of resets) expect(Math.abs(reset - first.reset)).toBeLessThanOrEqual(1);
  });
});

describe('at the limit', () => {
  test('Remaining decreases to 0, then 429 with Retry-After, and a refusal does not count (contract/limits; contract/limits#headers)', async () => {
    const sub = 'count-down';
    for (let left = limit - 1; left >= 0; left--) expect(limitsOf(await whoAmI(bearer(sub))).remaining).toBe(left);
    let previous: number | undefined;
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await whoAmI(bearer(sub));
      const { remaining, reset } = limitsOf(answer);
      const retryAfter = Number(answer.headers.get('retry-after'));
      expect([answer.status, remaining]).toEqual([429, 0]);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      // Retry-After is never too short: after that time the oldest request has left the window, so a request succeeds.
      expect(systemClock.now() + retryAfter * 1000).toBeGreaterThanOrEqual((reset - 1) * 1000);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(retryAfter).toBeGreaterThanOrEqual(50);
      expect(retryAfter).toBeLessThanOrEqual(previous ?? retryAfter);
      previous = retryAfter;
    }
  });

  const surfaces: Record<string, (key: string, sub: string) => Promise<Response>> = {
    '/users/me/id': (_, sub) => whoAmI(bearer(sub)),
    '/users/me/api-keys': (_, sub) => post('/users/me/api-keys', bearer(sub), '{"label":"x"}'),
    '/rpc': (key) => gateway.rpc(key, call),
    '/dlts/ethereum/networks/dev/rpc': (key) => gateway.rpc(key, call, '/dlts/ethereum/networks/dev/rpc'),
    '/networks': (key) => gateway.fetch('/networks', { headers: { 'X-API-Key': key } }),
  };
  for (const [path, ask] of Object.entries(surfaces))
    test(`${path} answers 429 as a StandardError (contract/errors#envelopes; contract/json-rpc)`, async () => {
      const sub = `refused at ${path}`;
      const { apiKey } = await gateway.mint(sub);
      await spend(sub, limit - 1);
      gateway.node.received.length = 0;
      await expectStandardError(await ask(apiKey, sub), { status: 429, error: 'Too many requests', path });
      expect(gateway.node.received).toEqual([]);
    });

  test('a request to create a key at the limit creates no key', async () => {
    const sub = 'refused-mint';
    await spend(sub, limit);
    const answer = await post('/users/me/api-keys', bearer(sub), '{"label":"x"}');
    expect(answer.status).toBe(429);
    expect(answer.headers.has('location')).toBe(false);
  });

  test('keys and tokens of one user share one limit; other users are not affected (contract/limits)', async () => {
    const sub = 'sharing';
    const [first, second] = [await gateway.mint(sub), await gateway.mint(sub)];
    const asks = [
      () => gateway.rpc(first.apiKey, call),
      () => gateway.rpc(second.apiKey, call),
      () => post(`/rpc/${first.apiKey}`, {}, call),
      () => whoAmI({ 'X-API-Key': second.apiKey }),
      () => whoAmI(bearer(sub)),
      () => whoAmI({ Authorization: `Bearer ${first.apiKey}` }),
    ];
    for (const [at, ask] of asks.entries()) expect(limitsOf(await ask()).remaining).toBe(limit - 3 - at);
    await spend(sub, limit - 8);
    for (const ask of asks) expect((await ask()).status).toBe(429);
    expect((await whoAmI(bearer('bystander'))).status).toBe(200);
  });

  test('user ids that differ by one character, case or space have separate limits (contract/limits)', async () => {
    await spend('twin', limit);
    for (const sub of ['Twin', 'twin ', 'twi', '__proto__', 'constructor'])
      expect(limitsOf(await whoAmI(bearer(sub))).remaining).toBe(limit - 1);
  });

  test('the Retry-After of a batch that exceeds the limit is the time until the whole batch fits (contract/limits)', async () => {
    const sub = 'batch-wait';
    const { apiKey } = await gateway.mint(sub);
    await spend(sub, limit - 5);
    const batch = (count: number) => gateway.rpc(apiKey, `[${new Array(count).fill(call).join(',')}]`);
    const refused = await batch(5);
    expect([refused.status, limitsOf(refused).remaining]).toEqual([429, 4]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(50);
    expect((await batch(4)).status).toBe(200);
  });

  test('500 concurrent requests are admitted exactly as often as the limit permits', async () => {
    const { apiKey } = await plain.mint('flood');
    const headers = { 'X-API-Key': apiKey };
    const answers = await Promise.all(Array.from({ length: 500 }, () => plain.fetch('/users/me/id', { headers })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(299);
    expect(statuses.filter((status) => status === 429)).toHaveLength(201);
    const admitted = answers.filter(({ status }) => status === 200).map((answer) => limitsOf(answer).remaining);
    expect(admitted.sort((a, b) => a - b)).toEqual(Array.from({ length: 299 }, (_, at) => at));
  });

  test('concurrent batches and single calls are admitted exactly, too', async () => {
    const { apiKey } = await plain.mint('mixed-flood');
    const batch = `[${new Array(7).fill(call).join(',')}]`;
    const answers = await Promise.all(
      Array.from({ length: 120 }, async (_, at) => {
        const answer = await plain.rpc(apiKey, at % 2 === 0 ? batch : call);
        return { cost: at % 2 === 0 ? 7 : 1, status: answer.status };
      }),
    );
    const spent = answers.filter(({ status }) => status === 200).reduce((sum, { cost }) => sum + cost, 1);
    const refusedSingles = answers.filter(({ status, cost }) => status === 429 && cost === 1);
    expect(spent).toBeLessThanOrEqual(300);
    expect(spent).toBeGreaterThan(300 - 7);
    if (refusedSingles.length > 0) expect(spent).toBe(300);
  });
});

describe('invalid credentials (contract/limits#invalid-credentials)', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const invalid = (address: string) => whoAmI({ 'X-API-Key': unknownKey(), ...from(address) });

  test('do not count against the user that they name', async () => {
    const { apiKey } = await gateway.mint('victim');
    const forged = unknownKey(apiKey.slice(3, 19));
    for (let at = 0; at < 3; at++)
      expect((await whoAmI({ 'X-API-Key': forged, ...from('203.0.113.1') })).status).toBe(401);
    const { keyId } = await gateway.mint('victim');
    await gateway.fetch(`/users/me/api-keys/${keyId}`, { method: 'DELETE', headers: bearer('victim') });
    expect(limitsOf(await whoAmI(bearer('victim'))).remaining).toBe(limit - 4);
  });

  test('beyond the limit of their address they are 429 with the same headers; valid credentials still work', async () => {
    const address = '203.0.113.2';
    for (let at = 0; at < invalidLimit; at++) expect((await invalid(address)).status).toBe(401);
    const refused = await invalid(address);
    const { limit: of, remaining, reset } = limitsOf(refused);
    expect([of, remaining]).toEqual([invalidLimit, 0]);
    expect(reset * 1000).toBeGreaterThan(systemClock.now());
    await expectStandardError(refused, { status: 429, error: 'Too many requests', path: '/users/me/id' });
    const { apiKey } = await gateway.mint('served');
    expect((await whoAmI({ 'X-API-Key': apiKey, ...from(address) })).status).toBe(200);
    expect((await whoAmI({ ...bearer('served'), ...from(address) })).status).toBe(200);
    expect((await post(`/rpc/${apiKey}`, from(address), call)).status).toBe(200);
  });

  test('on JSON-RPC, in headers and paths, and as tokens, they share the limit of the address', async () => {
    const address = '203.0.113.3';
    const attempts = [
      () =>
        gateway.fetch('/rpc', { method: 'POST', headers: { 'X-API-Key': unknownKey(), ...from(address) }, body: call }),
      () => post(`/rpc/${unknownKey()}`, from(address), call),
      () => whoAmI({ Authorization: 'Bearer rubbish', ...from(address) }),
      () => whoAmI({ Authorization: `Bearer ${gateway.token('x', { aud: 'y' })}`, ...from(address) }),
      () => post(`/rpc/rubbish`, from(address), call),
    ];
    for (const attempt of attempts) expect([401, 403]).toContain((await attempt()).status);
    const refused = await gateway.fetch('/rpc', {
      method: 'POST',
      headers: { 'X-API-Key': unknownKey(), ...from(address) },
      body: call,
    });
    expect(limitsOf(refused).remaining).toBe(0);
    await expectStandardError(refused, { status: 429, error: 'Too many requests', path: '/rpc' });
    for (const attempt of attempts) expect((await attempt()).status).toBe(429);
  });

  test('missing credentials do not count as invalid ones', async () => {
    const address = '203.0.113.4';
    for (let at = 0; at < invalidLimit + 3; at++) expect((await whoAmI(from(address))).status).toBe(401);
    expect((await invalid(address)).status).toBe(401);
  });

  test('the address is the last one that no trusted proxy reported for itself', async () => {
    const address = '203.0.113.5';
    const spellings = [
      address,
      `198.51.100.1, ${address}`,
      `x, ${address}`,
      `${address}, 10.1.2.3`,
      `${address},10.9.9.9,127.0.0.1`,
    ];
    for (const spelling of spellings) expect((await invalid(spelling)).status).toBe(401);
    expect((await invalid(address)).status).toBe(429);
    expect((await invalid(`${address}, 198.51.100.9`)).status).toBe(401);
    expect((await invalid('203.0.113.6')).status).toBe(401);
  });

  test('without trusted proxies X-Forwarded-For has no effect', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < invalidLimit + 2; at++) {
      const headers = { 'X-API-Key': unknownKey(), ...from(`203.0.113.${100 + at}`) };
      statuses.push((await plain.fetch('/users/me/id', { headers })).status);
    }
    expect(statuses).toEqual([...new Array(invalidLimit).fill(401), 429, 429]);
    expect(
      (await plain.fetch('/users/me/id', { headers: { Authorization: `Bearer ${plain.token('ok')}` } })).status,
    ).toBe(200);
  });
});

function post(path: string, headers: Record<string, string>, body: string): Promise<Response> {
  return gateway.fetch(path, { method: 'POST', headers, body });
}
