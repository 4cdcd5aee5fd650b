/**
 * Which credential counts on which route, and the responses to missing and invalid ones, over HTTP
 * (contract/credentials; contract/credentials#which-one-counts, contract/tokens,
 * contract/credentials#missing-and-invalid).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rawRequest } from '@flowgate/testing/raw-http';
import { expectRpcError, expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { openRaw, sendRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { base64url, createSigningKey, signToken } from '../../apps/gateway/test/fixtures/signing-key.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

let gateway: RunningGateway;
let key: string;
let otherKey: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 100_000, invalidPerMinute: 100_000 } } });
  key = (await gateway.mint('alice')).apiKey;
  otherKey = (await gateway.mint('bob')).apiKey;
});
afterAll(() => gateway.stop());

type HeaderPairs = [string, string][];

const me = (headers: HeaderPairs) => gateway.fetch('/users/me/id', { headers });
const call = (headers: HeaderPairs, path = '/rpc') =>
  gateway.fetch(path, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":7,"method":"eth_blockNumber"}' });

const unauthorized = { status: 401, error: 'Unauthorized', path: '/users/me/id' };
const missingOnRpc = { status: 401, code: -32000, message: 'Missing credentials.', id: 7 };
const invalidOnRpc = { status: 403, code: -32001, message: 'Invalid credentials.', id: 7 };

async function expectCaller(response: Response, id: string) {
  expect([response.status, await response.json()]).toEqual([200, { id }]);
}
async function expectBlock(response: Response) {
  expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 7, result: '0x10' }]);
}

describe('on REST', () => {
  test('a token is accepted, and its subject is the user id (contract/tokens)', async () => {
    await expectCaller(await me([['Authorization', `Bearer ${gateway.token('carol')}`]]), 'carol');
  });

  test('a key in X-API-Key authenticates its owner (contract/tokens)', async () => {
    await expectCaller(await me([['X-API-Key', key]]), 'alice');
  });

  test('a key is accepted as bearer (rule 2)', async () => {
    await expectCaller(await me([['Authorization', `Bearer ${key}`]]), 'alice');
  });

  for (const name of ['x-api-key', 'X-API-KEY', 'x-Api-kEY'])
    test(`the header name may be written ${name} (rule 3)`, async () => {
      const answer = await sendRaw(
        gateway.port,
        rawRequest('GET /users/me/id HTTP/1.1', ['Host: gateway', `${name}: ${key}`]),
      );
      expect([answer?.status, answer?.body]).toEqual([200, '{"id":"alice"}']);
    });

  for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
    test(`the scheme may be written ${scheme} (contract/keys#the-ten-keys)`, async () => {
      await expectCaller(await me([['Authorization', `${scheme} ${gateway.token('carol')}`]]), 'carol');
      await expectCaller(await me([['Authorization', `${scheme} ${key}`]]), 'alice');
    });

  test('X-API-Key takes precedence over Authorization (rule 3)', async () => {
    const token = gateway.token('carol');
    await expectCaller(
      await me([
        ['X-API-Key', key],
        ['Authorization', `Bearer ${token}`],
      ]),
      'alice',
    );
    await expectCaller(
      await me([
        ['X-API-Key', key],
        ['Authorization', `Bearer ${otherKey}`],
      ]),
      'alice',
    );
    await expectCaller(
      await me([
        ['X-API-Key', key],
        ['Authorization', 'Bearer rubbish'],
      ]),
      'alice',
    );
  });

  const noFallback: Record<string, () => string> = {
    unknown: unknownKey,
    empty: () => '',
    'a token': () => gateway.token('alice'),
    rubbish: () => 'rubbish',
  };
  for (const [name, value] of Object.entries(noFallback))
    test(`an X-API-Key that is ${name} is refused even with a valid token (contract/credentials#which-one-counts)`, async () => {
      await expectStandardError(
        await me([
          ['X-API-Key', value()],
          ['Authorization', `Bearer ${gateway.token('alice')}`],
        ]),
        unauthorized,
      );
    });

  test('two different X-API-Key headers are an invalid credential (contract/credentials#which-one-counts)', async () => {
    for (const values of [
      [key, otherKey],
      [otherKey, key],
      [key, ''],
      ['', key],
    ]) {
      const lines = values.map((value) => `X-API-Key: ${value}`);
      const answer = await sendRaw(gateway.port, rawRequest('GET /users/me/id HTTP/1.1', ['Host: gateway', ...lines]));
      expect(answer?.status).toBe(401);
    }
  });

  test('without any credential it is 401 (contract/errors#envelopes)', async () => {
    await expectStandardError(await me([]), unauthorized);
    await expectStandardError(await me([['X-API-Key', '']]), unauthorized);
    await expectStandardError(await me([['Authorization', '']]), unauthorized);
  });

  const malformed: Record<string, (credential: string) => string> = {
    'two spaces': (credential) => `Bearer  ${credential}`,
    'a tab': (credential) => `Bearer\t${credential}`,
    'no space': (credential) => `Bearer${credential}`,
    'double quotes': (credential) => `Bearer "${credential}"`,
    'single quotes': (credential) => `Bearer '${credential}'`,
    'another scheme': (credential) => `Basic ${credential}`,
    'no scheme': (credential) => credential,
    'more text after it': (credential) => `Bearer ${credential} x`,
    'a parameter after it': (credential) => `Bearer ${credential}, realm=x`,
    'a colon': (credential) => `Bearer: ${credential}`,
    'only the scheme': () => 'Bearer',
    'angle brackets': (credential) => `Bearer <${credential}>`,
  };
  for (const [name, write] of Object.entries(malformed))
    test(`Authorization with ${name} is 401 (rule 2, contract/credentials#which-one-counts)`, async () => {
      await expectStandardError(await me([['Authorization', write(gateway.token('alice'))]]), unauthorized);
      await expectStandardError(await me([['Authorization', write(key)]]), unauthorized);
    });

  test('two Authorization headers are 401 (contract/credentials#which-one-counts: the rest of the header exact)', async () => {
    const [first, second] = [gateway.token('alice'), gateway.token('bob')];
    const answer = await sendRaw(
      gateway.port,
      rawRequest('GET /users/me/id HTTP/1.1', [
        'Host: gateway',
        `Authorization: Bearer ${first}`,
        `Authorization: Bearer ${second}`,
      ]),
    );
    expect(answer?.status).toBe(401);
  });

  const claims = () => ({ iss: gateway.issuer.issuer, aud: 'flowgate', sub: 'alice', exp: 4_000_000_000 });

  test('these claims with a valid signature make a valid token, so the following tests fail for their own reason', async () => {
    const token = signToken({ key: gateway.issuer.key(), payload: claims() });
    await expectCaller(await me([['Authorization', `Bearer ${token}`]]), 'alice');
  });

  const wrongTokens: Record<string, () => string> = {
    'another audience': () => gateway.token('alice', { aud: 'another-service' }),
    'another issuer': () => gateway.token('alice', { iss: 'https://elsewhere.example' }),
    'an expiry in the past': () => gateway.token('alice', { exp: 1_000_000_000 }),
    'no expiry': () => gateway.token('alice', { exp: undefined }),
    'no subject': () => gateway.token('alice', { sub: undefined }),
    'an empty subject': () => gateway.token(''),
    'no audience': () => gateway.token('alice', { aud: undefined }),
    'no issuer': () => gateway.token('alice', { iss: undefined }),
    'a start in the future': () => gateway.token('alice', { nbf: 4_000_000_000 }),
    'a changed signature': () => `${gateway.token('alice').slice(0, -8)}AAAAAAAA`,
    'more than 8 KiB': () => gateway.token('alice', { padding: 'x'.repeat(6_200) }),
    'the algorithm none': () =>
      `${base64url('{"alg":"none"}')}.${gateway.token('alice').split('.')[1]}.${base64url('none')}`,
    'a critical extension': () =>
      signToken({ key: gateway.issuer.key(), header: { crit: ['exp'] }, payload: claims() }),
    "another issuer's signature": () =>
      signToken({ key: createSigningKey('ES256', gateway.issuer.key().kid), payload: claims() }),
    'no signature': () => gateway.token('alice').split('.').slice(0, 2).join('.'),
  };
  for (const [name, make] of Object.entries(wrongTokens))
    test(`a token with ${name} is 401 (contract/errors#envelopes; contract/tokens)`, async () => {
      await expectStandardError(await me([['Authorization', `Bearer ${make()}`]]), unauthorized);
    });
});

describe('on JSON-RPC', () => {
  const keyed = (value: string): HeaderPairs => [['X-API-Key', value]];

  test('a key is accepted in X-API-Key, as bearer and in the path (contract/credentials#which-one-counts)', async () => {
    await expectBlock(await call(keyed(key)));
    await expectBlock(await call([['Authorization', `Bearer ${key}`]]));
    await expectBlock(await call([['Authorization', `bEARER ${key}`]]));
    await expectBlock(await call([], `/rpc/${key}`));
  });

  test('no credential is 401 / -32000 (contract/credentials#missing-and-invalid)', async () => {
    await expectRpcError(await call([]), missingOnRpc);
  });

  test('an empty key counts as missing, in header and path (contract/credentials#which-one-counts)', async () => {
    await expectRpcError(await call(keyed('')), missingOnRpc);
    await expectRpcError(await call([], '/rpc/'), missingOnRpc);
    await expectRpcError(
      await call([
        ['X-API-Key', ''],
        ['Authorization', `Bearer ${key}`],
      ]),
      missingOnRpc,
    );
  });

  test('a token is no credential for JSON-RPC: 401 / -32000 (contract/json-rpc#errors)', async () => {
    await expectRpcError(await call([['Authorization', `Bearer ${gateway.token('alice')}`]]), missingOnRpc);
  });

  test('a token in X-API-Key is an invalid credential: 403 / -32001 (contract/credentials#which-one-counts)', async () => {
    await expectRpcError(await call(keyed(gateway.token('alice'))), invalidOnRpc);
  });

  const wrongKeys: Record<string, () => string> = {
    unknown: () => unknownKey(),
    'a known keyId with another secret': () => unknownKey(key.slice(3, 19)),
    mistyped: () => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
    truncated: () => key.slice(0, -1),
    'longer than a key': () => `${key}0`,
    'without its prefix': () => key.slice(3),
    'in upper case': () => key.toUpperCase(),
    quoted: () => `"${key}"`,
    'no key at all': () => 'rubbish',
  };
  for (const [name, make] of Object.entries(wrongKeys))
    test(`a key that is ${name} is 403 / -32001 in header and path (contract/json-rpc#errors)`, async () => {
      await expectRpcError(await call(keyed(make())), invalidOnRpc);
      await expectRpcError(await call([], `/rpc/${encodeURIComponent(make())}`), invalidOnRpc);
    });

  test('two different X-API-Key headers are an invalid credential (contract/credentials#which-one-counts)', async () => {
    const body = '{"jsonrpc":"2.0","id":7,"method":"eth_blockNumber"}';
    const answer = await sendRaw(
      gateway.port,
      rawRequest(
        'POST /rpc HTTP/1.1',
        ['Host: gateway', `X-API-Key: ${key}`, `X-API-Key: ${otherKey}`, `Content-Length: ${body.length}`],
        body,
      ),
    );
    expect([answer?.status, answer?.body]).toEqual([403, expect.stringContaining('-32001')]);
  });

  test('the key in the path decides, whether the key in the header is valid or not (contract/credentials#which-one-counts)', async () => {
    await expectRpcError(await call(keyed(key), `/rpc/${unknownKey()}`), invalidOnRpc);
    await expectRpcError(await call(keyed(key), '/rpc/'), missingOnRpc);
    await expectBlock(await call(keyed(unknownKey()), `/rpc/${key}`));
    await expectBlock(await call([['Authorization', 'Basic rubbish']], `/rpc/${key}`));
  });

  test('X-API-Key decides over Authorization (rule 3)', async () => {
    await expectRpcError(
      await call([
        ['X-API-Key', unknownKey()],
        ['Authorization', `Bearer ${key}`],
      ]),
      invalidOnRpc,
    );
    await expectBlock(
      await call([
        ['X-API-Key', key],
        ['Authorization', `Bearer ${unknownKey()}`],
      ]),
    );
  });

  test('an expired key is 403 / -32001, cached or not (contract/keys#verification)', async () => {
    const expiresAtMs = (await serverTime()) + 700;
    const { apiKey } = await gateway.mint('expirer', {
      label: 'short',
      expiresAt: new Date(expiresAtMs).toISOString(),
    });
    let answer = await call(keyed(apiKey));
    while (answer.status === 200) {
      const sentAtMs = await serverTime();
      answer = await call(keyed(apiKey));
      expect(answer.status === 200 && sentAtMs >= expiresAtMs).toBe(false);
    }
    expect(await serverTime()).toBeGreaterThanOrEqual(expiresAtMs);
    await expectRpcError(answer, invalidOnRpc);
    await expectStandardError(await me(keyed(apiKey)), unauthorized);
  });

  test('a revoked key fails everywhere as soon as DELETE has answered (contract/keys#revocation)', async () => {
    const { apiKey, keyId } = await gateway.mint('revoker');
    await expectBlock(await call(keyed(apiKey)));
    const answer = await gateway.fetch(`/users/me/api-keys/${keyId}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${gateway.token('revoker')}` },
    });
    expect(answer.status).toBe(204);
    await expectRpcError(await call(keyed(apiKey)), invalidOnRpc);
    await expectRpcError(await call([], `/rpc/${apiKey}`), invalidOnRpc);
    await expectRpcError(await call([['Authorization', `Bearer ${apiKey}`]]), invalidOnRpc);
    await expectStandardError(await me(keyed(apiKey)), unauthorized);
  });

  test("a refusal has the request's id when it can be read, else null (contract/credentials#which-one-counts)", async () => {
    const answer = async (body: string) => (await jsonBody(await gateway.rpc(unknownKey(), body)))['id'];
    expect(await answer('{"jsonrpc":"2.0","id":"seven","method":"eth_blockNumber"}')).toBe('seven');
    expect(await answer('{"jsonrpc":"2.0","id":null,"method":"eth_blockNumber"}')).toBeNull();
    expect(await answer('{"jsonrpc":"2.0","method":"eth_blockNumber"}')).toBeNull();
    expect(await answer('not json')).toBeNull();
    expect(await answer('')).toBeNull();
  });

  test('without a valid credential, the body is not read to its end: the refusal precedes it', async () => {
    for (const path of ['/rpc', `/rpc/${unknownKey()}`]) {
      const connection = await openRaw(gateway.port);
      connection.send(rawRequest(`POST ${path} HTTP/1.1`, ['Host: gateway', 'Transfer-Encoding: chunked']));
      for (let at = 0; at < 5; at++) connection.send(`1000\r\n${' '.repeat(4096)}\r\n`);
      const answer = await connection.next();
      connection.close();
      expect([answer?.status, answer?.body]).toEqual([
        path === '/rpc' ? 401 : 403,
        expect.stringMatching(/"id":null,"error":\{"code":-3200[01]/),
      ]);
    }
  });
});

/** The gateway's clock, as its Date header and StandardError report it. */
async function serverTime(): Promise<number> {
  return Number((await jsonBody(await gateway.fetch('/nowhere')))['timestamp']);
}
