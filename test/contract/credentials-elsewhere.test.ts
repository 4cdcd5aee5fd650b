/**
 * Credentials on routes that need none or accept only tokens: key management and unknown paths (contract/credentials;
 * contract/conventions#secrets, contract/credentials#which-one-counts).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectProblem, expectStandardError, limitsOf } from '../../apps/gateway/test/fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 100_000, invalidPerMinute: 100_000 } } });
  key = (await gateway.mint('alice')).apiKey;
});
afterAll(() => gateway.stop());

type HeaderPairs = [string, string][];

describe('key management', () => {
  const management = [
    ['POST', '/users/me/api-keys'],
    ['GET', '/users/me/api-keys'],
    ['DELETE', '/users/me/api-keys/0123456789abcdef'],
  ] as const;
  const send = (method: string, path: string, headers: HeaderPairs) =>
    gateway.fetch(path, { method, headers, ...(method === 'POST' ? { body: '{"label":"x"}' } : {}) });

  for (const [method, path] of management) {
    test(`${method} ${path} refuses a valid API key with 403 in both headers, and the request counts (contract/credentials#which-one-counts)`, async () => {
      const forbidden = { status: 403, error: 'Forbidden', path };
      const first = await send(method, path, [['X-API-Key', key]]);
      await expectStandardError(first, forbidden);
      const second = await send(method, path, [['Authorization', `Bearer ${key}`]]);
      await expectStandardError(second, forbidden);
      expect(limitsOf(second).remaining).toBe(limitsOf(first).remaining - 1);
    });

    test(`${method} ${path} with a valid API key and a valid token is 403: the key decides (rule 3)`, async () => {
      const headers: HeaderPairs = [
        ['X-API-Key', key],
        ['Authorization', `Bearer ${gateway.token('alice')}`],
      ];
      await expectStandardError(await send(method, path, headers), { status: 403, error: 'Forbidden', path });
    });

    test(`${method} ${path} with an invalid API key, or none, is 401 (contract/credentials#which-one-counts)`, async () => {
      const refused = { status: 401, error: 'Unauthorized', path };
      await expectStandardError(await send(method, path, [['X-API-Key', unknownKey()]]), refused);
      await expectStandardError(await send(method, path, [['Authorization', `Bearer ${unknownKey()}`]]), refused);
      await expectStandardError(await send(method, path, []), refused);
    });
  }

  test('a key in the path of key management makes an unknown path and is not a credential (rule 5)', async () => {
    const answer = await gateway.fetch(`/users/me/api-keys/${key}/rpc`, { method: 'POST', body: '{"label":"x"}' });
    await expectStandardError(answer, {
      status: 404,
      error: 'Not found',
      path: `/users/me/api-keys/fk_${key.slice(3, 19)}.***/rpc`,
    });
    const revoking = await gateway.fetch(`/users/me/api-keys/${key}`, { method: 'DELETE' });
    await expectStandardError(revoking, {
      status: 401,
      error: 'Unauthorized',
      path: `/users/me/api-keys/fk_${key.slice(3, 19)}.***`,
    });
  });
});

describe('an unknown path', () => {
  const credentials: Record<string, () => HeaderPairs> = {
    none: () => [],
    'a good key': () => [['X-API-Key', key]],
    'a good token': () => [['Authorization', `Bearer ${gateway.token('alice')}`]],
    'a bad key': () => [['X-API-Key', unknownKey()]],
  };
  for (const [name, headers] of Object.entries(credentials)) {
    test(`is 404 with ${name} (contract/conventions#ids)`, async () => {
      await expectStandardError(await gateway.fetch('/nowhere/at/all', { headers: headers() }), {
        status: 404,
        error: 'Not found',
        path: '/nowhere/at/all',
      });
    });

    test(`is a not-found problem under /flow with ${name} (contract/errors#envelopes; contract/conventions)`, async () => {
      await expectProblem(await gateway.fetch('/flow/nowhere/at/all', { headers: headers() }), {
        status: 404,
        type: 'not-found',
        title: 'Not found',
        retryable: false,
      });
    });
  }
});
