/** Maintenance, limits of single users and keys of other users over HTTP (contract/administration). */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { isJsonObject } from '@flowgate/json/json-object';
import { until } from '@flowgate/testing/until';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  countStep,
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type Minted, type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

/** Requests in any 60 seconds of a user without own limits. */
const defaultLimit = 1_500;
let gateway: RunningGateway;
let app: FlowAppFixture;
let key: Minted;

beforeAll(async () => {
  app = startFlowApp();
  gateway = await startGateway({
    config: { ...reachesLoopback, limits: { userPerMinute: defaultLimit }, usage: { writeSeconds: 0.1 } },
  });
  await publishFlowApp(gateway, app);
  key = await gateway.mint('caller');
});
afterAll(async () => {
  await Promise.all([gateway.stop(), app.stop()]);
});

const bearer = (sub: string, claims = {}) => ({ Authorization: `Bearer ${gateway.token(sub, claims)}` });
/** A new administrator for each call, so that no rate limit applies. */
let administrators = 0;
function admin(): Record<string, string> {
  administrators += 1;
  return { ...bearer(`root ${administrators}`, { roles: ['admin'] }), 'Content-Type': 'application/json' };
}
const ask = (method: string, path: string, body?: unknown) =>
  gateway.fetch(path, { method, headers: admin(), ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
const json = async (response: Response) => {
  expect(response.status).toBe(200);
  return jsonBody(response);
};
const call = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' };
const rpc = (path = '/rpc') => gateway.rpc(key.apiKey, call, path);
const rest = () => gateway.fetch('/networks', { headers: bearer('caller') });
const flow = () => gateway.fetch('/flow/registry/apps', { headers: bearer('caller') });

describe('maintenance (contract/administration#maintenance)', () => {
  const path = '/admin/maintenance';
  const set = (body: unknown) => ask('PUT', path, body);
  afterEach(async () => {
    expect((await set({ active: false })).status).toBe(200);
  });
  const statuses = async () => [(await rpc()).status, (await rest()).status, (await flow()).status];

  test('initially nothing is set; PUT returns the value, and GET returns it afterwards', async () => {
    expect(await json(await ask('GET', path))).toEqual({ active: false, retryAfterSeconds: 60 });
    expect(await statuses()).toEqual([200, 200, 200]);
    const value = {
      active: true,
      message: 'Back at noon.',
      retryAfterSeconds: 120,
      surfaces: ['rest'],
      networks: ['ethereum/dev'],
    };
    expect(await json(await set(value))).toEqual(value);
    expect(await json(await ask('GET', path))).toEqual(value);
    expect(await json(await set({ active: true, message: null, surfaces: ['rest', 'rest'] }))).toEqual({
      active: true,
      retryAfterSeconds: 60,
      surfaces: ['rest'],
    });
  });

  test('as soon as PUT has answered, each surface answers 503 in its error form, with Retry-After and the message', async () => {
    await set({ active: true, message: 'Back at noon.', retryAfterSeconds: 120 });
    const expected = { status: 503, error: 'Service unavailable' };
    for (const [response, at] of [
      [await rpc(), '/rpc'],
      [await rest(), '/networks'],
    ] as const) {
      expect(response.headers.get('retry-after')).toBe('120');
      expect(await expectStandardError(response, { ...expected, path: at })).toBe('Back at noon.');
    }
    const refused = await flow();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '120']);
    expect(await refused.json()).toMatchObject({
      type: 'urn:svc:error:service-unavailable',
      detail: 'Back at noon.',
      retryable: true,
    });
    await set({ active: false });
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  test.each([
    [{ surfaces: ['rpc'] }, [503, 200, 200]],
    [{ surfaces: ['rest'] }, [200, 503, 200]],
    [{ surfaces: ['flow'] }, [200, 200, 503]],
    [{ surfaces: ['rest', 'flow'] }, [200, 503, 503]],
    [{ networks: ['ethereum/dev'] }, [503, 200, 200]],
    [{ surfaces: ['rest'], networks: ['ethereum/dev'] }, [200, 503, 200]],
    [{ surfaces: ['rpc', 'rest'], networks: ['ethereum/dev'] }, [503, 503, 200]],
  ])('%j refuses exactly the named surfaces and networks', async (named, expected) => {
    await set({ active: true, ...named });
    expect(await statuses()).toEqual(expected);
  });

  test('a network is refused on every path that leads to it, including its nodes, in single calls and batches', async () => {
    await set({ active: true, networks: ['ethereum/dev'] });
    for (const at of ['/rpc', '/dlts/ethereum/networks/dev/rpc', '/dlts/ethereum/nodes/dev-1/rpc'])
      expect([at, (await rpc(at)).status]).toEqual([at, 503]);
    expect((await gateway.rpc(key.apiKey, [call, call])).status).toBe(503);
    expect(
      (
        await gateway.fetch(`/rpc/${key.apiKey}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(call),
        })
      ).status,
    ).toBe(503);
    expect((await rpc('/dlts/ethereum/networks/none/rpc')).status).toBe(404);
  });

  test('an invalid credential is still refused as invalid, and a refused request counts', async () => {
    await set({ active: true });
    expect((await gateway.rpc(unknownKey(), call)).status).toBe(403);
    expect((await gateway.fetch('/networks', {})).status).toBe(401);
    const left = async () => Number((await rest()).headers.get('x-ratelimit-remaining'));
    expect((await left()) - (await left())).toBe(1);
  });

  test('health, readiness, the reference, its document and all administration routes work during maintenance', async () => {
    await set({ active: true });
    for (const at of ['/healthz', '/readyz', '/openapi.json', '/reference', '/console/config.json'])
      expect([at, (await gateway.fetch(at)).status]).toEqual([at, 200]);
    expect((await gateway.fetch('/', { redirect: 'manual' })).status).toBe(302);
    for (const at of [path, '/admin/audit', '/admin/users/x/limits', '/admin/users/x/api-keys'])
      expect([at, (await ask('GET', at)).status]).toEqual([at, 200]);
  });

  test('an agent reaches /mcp, and calls of tools are refused like the routes', async () => {
    await set({ active: true, surfaces: ['rpc'], message: 'Back at noon.' });
    const answer = async (name: string, args: object) => {
      const response = await gateway.fetch('/mcp', {
        method: 'POST',
        headers: {
          'X-API-Key': key.apiKey,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      });
      return response.text();
    };
    expect(await answer('rpc_call', { method: 'eth_blockNumber' })).toContain('Back at noon.');
    expect(await answer('list_networks', {})).not.toContain('Back at noon.');
  });

  test('a step in flight when maintenance begins finishes; the next step is refused', async () => {
    const client = flowClient(gateway);
    const session = await client.start();
    const go = Promise.withResolvers<void>();
    app.script(async () => {
      await go.promise;
      return { step: countStep(1) };
    });
    const arrival = app.nextArrival();
    const running = client.add(session);
    await arrival;
    await set({ active: true });
    go.resolve();
    expect((await running).stateVersion).toBe(session.stateVersion + 1);
    expect((await client.get(`/flow/sessions/${session.sessionId}`)).status).toBe(503);
  });

  test('maintenance survives a restart', async () => {
    await set({ active: true, surfaces: ['rest'] });
    await gateway.restart();
    expect(await statuses()).toEqual([200, 503, 200]);
  });

  test.each([
    [{}, 'active'],
    [{ active: 'yes' }, 'active'],
    [{ active: true, message: '' }, 'message'],
    [{ active: true, message: 'x'.repeat(501) }, 'message'],
    [{ active: true, message: 'a\nb' }, 'message'],
    [{ active: true, retryAfterSeconds: 0 }, 'retryAfterSeconds'],
    [{ active: true, retryAfterSeconds: 1.5 }, 'retryAfterSeconds'],
    [{ active: true, retryAfterSeconds: 86_401 }, 'retryAfterSeconds'],
    [{ active: true, surfaces: [] }, 'surfaces'],
    [{ active: true, surfaces: ['console'] }, 'surfaces'],
    [{ active: true, networks: [] }, 'networks'],
    [{ active: true, networks: ['dev'] }, 'networks'],
    [{ active: true, networks: ['ethereum/none'] }, 'networks'],
  ])('%j is 400, names the member, and changes nothing', async (body, member) => {
    const expected = { status: 400, error: 'Bad request', path };
    expect(await expectStandardError(await set(body), expected)).toContain(member);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  test('each change has an entry in the audit log', async () => {
    await set({ active: true, surfaces: ['rest'], message: 'announced' });
    const { data } = await json(await ask('GET', '/admin/audit?action=maintenance.set&limit=1'));
    expect(data).toMatchObject([
      {
        target: 'maintenance',
        details: { active: true, surfaces: ['rest'], message: 'announced', retryAfterSeconds: 60 },
      },
    ]);
  });
});

describe('planned maintenance (contract/administration#planned-maintenance)', () => {
  const path = '/admin/maintenance';
  const upcoming = () => gateway.fetch('/maintenance', { headers: bearer('caller') });
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();

  test('planned maintenance is announced to every caller, begins and ends by itself, and can be read', async () => {
    const [startsAt, endsAt] = [at(3_600_000), at(7_200_000)];
    const planned = { active: true, message: 'A node is replaced.', surfaces: ['rpc'], startsAt, endsAt };
    const set = await json(await ask('PUT', path, planned));
    expect(set).toEqual({ ...planned, retryAfterSeconds: 60 });
    expect(await json(await ask('GET', path))).toEqual(set);
    expect(await json(await upcoming())).toEqual({ startsAt, endsAt, message: 'A node is replaced.' });
    expect((await rpc()).status).toBe(200);
    expect(await json(await ask('PUT', path, { ...planned, noticeMinutes: 5 }))).toMatchObject({ noticeMinutes: 5 });
    expect(await json(await upcoming())).toEqual({});
    await ask('PUT', path, { ...planned, startsAt: at(200), endsAt: at(2_500) });
    await until('calls are refused', async () => (await rpc()).status === 503);
    await until('calls are answered', async () => (await rpc()).status === 200);
    expect((await ask('PUT', path, { active: false })).status).toBe(200);
  });

  test('times without a zone, an end before the start or in the past, and long notices are refused', async () => {
    for (const wrong of [
      { startsAt: '2030-01-01T00:00:00' },
      { startsAt: at(7_200_000), endsAt: at(3_600_000) },
      { endsAt: at(-1_000) },
      { noticeMinutes: 100_000 },
    ])
      expect((await ask('PUT', path, { active: true, surfaces: ['rpc'], ...wrong })).status).toBe(400);
    expect((await rpc()).status).toBe(200);
  });
});

describe('users (contract/administration#users)', () => {
  test('a part of the id finds a user, with keys and requests; API keys and other users find no user', async () => {
    const { apiKey } = await gateway.mint('Needle in 100%');
    await gateway.mint('needle_2');
    await gateway.rpc(apiKey, call);
    const find = async (query: string) => json(await ask('GET', `/admin/users?${query}`));
    // Creating a key counts as a request.
    await until('the call is counted', async () =>
      JSON.stringify(await find('search=needle')).includes('"requests24h":2'),
    );
    const found = await find('search=NEEDLE');
    expect(found).toEqual({
      data: [
        { userId: 'Needle in 100%', lastSeenAt: expect.any(String), requests24h: 2, keys: 1 },
        { userId: 'needle_2', lastSeenAt: expect.any(String), requests24h: 1, keys: 1 },
      ],
    });
    expect(await find(`search=${encodeURIComponent('100%')}`)).toMatchObject({ data: [{ userId: 'Needle in 100%' }] });
    expect(await find('search=e_2')).toMatchObject({ data: [{ userId: 'needle_2' }] });
    expect(await find('search=no-user-has-this')).toEqual({ data: [] });
    const first = await find('search=needle&limit=1');
    const second = await find(`search=needle&limit=1&cursor=${String(first['nextCursor'])}`);
    expect([first, second]).toMatchObject([
      { data: [{ userId: 'Needle in 100%' }] },
      { data: [{ userId: 'needle_2' }] },
    ]);
    for (const query of ['search=', 'limit=0', 'limit=101', 'cursor=%21', 'search=a&search=b'])
      expect((await ask('GET', `/admin/users?${query}`)).status).toBe(400);
    expect((await gateway.fetch('/admin/users', { headers: bearer('caller') })).status).toBe(403);
  });
});

describe('limits of a user (contract/administration#limits-of-a-user)', () => {
  const configured = { userPerMinute: defaultLimit, sessionPerMinute: 60, maxActiveKeys: 10, nodes: 20 };
  const limits = (userId: string) => `/admin/users/${encodeURIComponent(userId)}/limits`;

  test('without own limits it is {}; PUT returns the value and replaces the old one; DELETE removes it', async () => {
    const user = 'auth0|"x"/y';
    expect(await json(await ask('GET', limits(user)))).toEqual({ configured });
    const all = { userPerMinute: 9, sessionPerMinute: 8, maxActiveKeys: 7, nodes: 6 };
    expect(await json(await ask('PUT', limits(user), all))).toEqual(all);
    expect(await json(await ask('GET', limits(user)))).toEqual({ ...all, configured });
    expect(await json(await ask('PUT', limits(user), { nodes: 3, userPerMinute: null }))).toEqual({ nodes: 3 });
    expect(await json(await ask('GET', limits(user)))).toEqual({ nodes: 3, configured });
    for (let times = 0; times < 2; times++) expect((await ask('DELETE', limits(user))).status).toBe(204);
    expect(await json(await ask('GET', limits(user)))).toEqual({ configured });
    expect(await json(await ask('PUT', limits(user), {}))).toEqual({});
    const { data } = await json(await ask('GET', `/admin/audit?target=${encodeURIComponent(user)}`));
    if (!Array.isArray(data)) throw new Error('data is no array');
    expect(data.filter(isJsonObject).map(({ action }) => action)).toEqual([
      'limits.removed',
      'limits.set',
      'limits.set',
    ]);
  });

  test('headers report a raised or lowered limit as soon as PUT has answered, and other users are not affected', async () => {
    const seen = async (sub: string) => {
      const { status, headers } = await gateway.fetch('/users/me/id', { headers: bearer(sub) });
      return [status, Number(headers.get('x-ratelimit-limit')), Number(headers.get('x-ratelimit-remaining'))];
    };
    expect(await seen('limited')).toEqual([200, defaultLimit, defaultLimit - 1]);
    await ask('PUT', limits('limited'), { userPerMinute: 3_000 });
    expect(await seen('limited')).toEqual([200, 3_000, 2_998]);
    await ask('PUT', limits('limited'), { userPerMinute: 3 });
    expect(await seen('limited')).toEqual([200, 3, 0]);
    expect(await seen('limited')).toEqual([429, 3, 0]);
    expect(await seen('unlimited')).toEqual([200, defaultLimit, defaultLimit - 1]);
    await gateway.restart();
    await ask('PUT', limits('limited'), { userPerMinute: 5 });
    expect(await seen('limited')).toEqual([200, 5, 4]);
    await ask('DELETE', limits('limited'));
    expect(await seen('limited')).toEqual([200, defaultLimit, defaultLimit - 2]);
  });

  test('a batch may have as many elements as the user’s own limit permits', async () => {
    const own = await gateway.mint('batcher');
    await ask('PUT', limits('batcher'), { userPerMinute: 2 });
    expect((await gateway.rpc(own.apiKey, [call, call, call])).status).toBe(413);
    await ask('PUT', limits('batcher'), { userPerMinute: 50 });
    expect((await gateway.rpc(own.apiKey, [call, call, call])).status).toBe(200);
  });

  test('a session has the user’s own limit', async () => {
    const client = flowClient(gateway);
    const session = await client.start();
    await ask('PUT', limits('alice'), { sessionPerMinute: 2 });
    const look = () => client.get(`/flow/sessions/${session.sessionId}`);
    const last = await look();
    expect([last.status, last.headers.get('x-ratelimit-limit')]).toEqual([200, '2']);
    await look();
    expect((await look()).status).toBe(429);
    await ask('DELETE', limits('alice'));
    expect((await look()).status).toBe(200);
  });

  test('the limit of active keys is exact; lowering it retains the existing keys', async () => {
    const mint = () =>
      gateway.fetch('/users/me/api-keys', {
        method: 'POST',
        headers: { ...bearer('collector'), 'Content-Type': 'application/json' },
        body: '{"label":"x"}',
      });
    await ask('PUT', limits('collector'), { maxActiveKeys: 12 });
    for (let at = 0; at < 12; at++) expect((await mint()).status).toBe(201);
    const refusal = await expectStandardError(await mint(), {
      status: 409,
      error: 'Conflict',
      path: '/users/me/api-keys',
    });
    expect(refusal).toContain('12');
    await ask('PUT', limits('collector'), { maxActiveKeys: 1 });
    expect((await mint()).status).toBe(409);
    const { data } = await json(await ask('GET', '/admin/users/collector/api-keys?limit=100'));
    expect(data).toHaveLength(12);
  });

  test.each(['userPerMinute', 'sessionPerMinute', 'maxActiveKeys', 'nodes'])(
    '%s that is not a whole number within its bounds is 400',
    async (member) => {
      for (const value of [0, -1, 1.5, '5', 1_000_001, true, []]) {
        const response = await ask('PUT', limits('x'), { [member]: value });
        const expected = { status: 400, error: 'Bad request', path: '/admin/users/x/limits' };
        expect(await expectStandardError(response, expected)).toContain(member);
      }
      expect(await json(await ask('GET', limits('x')))).toEqual({ configured });
    },
  );
});

describe('keys of other users (contract/administration#keys-of-other-users)', () => {
  test('keys are listed in pages without secrets, and a revoked key fails as soon as the revocation has answered', async () => {
    const minted = [await gateway.mint('owner'), await gateway.mint('owner')];
    const keys = '/admin/users/owner/api-keys';
    const page = await json(await ask('GET', `${keys}?limit=1`));
    const cursor = page['nextCursor'];
    expect(page).toMatchObject({ data: [{ keyId: minted[1]?.keyId }] });
    const rest = await json(await ask('GET', `${keys}?cursor=${String(cursor)}`));
    expect(rest).toMatchObject({ data: [{ keyId: minted[0]?.keyId }] });
    const [, { apiKey, keyId }] = [minted[0], minted[1] ?? key];
    expect(JSON.stringify([page, rest])).not.toContain(apiKey.slice(-20));
    expect((await gateway.rpc(apiKey, call)).status).toBe(200);
    for (let times = 0; times < 2; times++) expect((await ask('DELETE', `${keys}/${keyId}`)).status).toBe(204);
    expect((await gateway.rpc(apiKey, call)).status).toBe(403);
    const { data } = await json(await ask('GET', `/admin/audit?target=${keyId}&action=key.revoked`));
    expect(data).toMatchObject([{ actor: expect.stringMatching(/^root/), details: { ownerId: 'owner' } }]);
  });

  test('a key of another user, an unknown key and an invalid keyId are 404; an invalid page is 400', async () => {
    const { keyId, apiKey } = await gateway.mint('owner 2');
    for (const [user, id] of [
      ['owner', keyId],
      ['owner 2', '0123456789abcdef'],
      ['owner 2', 'x'],
    ]) {
      const path = `/admin/users/${encodeURIComponent(user ?? '')}/api-keys/${id}`;
      expect([path, (await ask('DELETE', path)).status]).toEqual([path, 404]);
    }
    expect((await gateway.rpc(apiKey, call)).status).toBe(200);
    expect((await ask('GET', '/admin/users/owner/api-keys?limit=0')).status).toBe(400);
    expect(await json(await ask('GET', '/admin/users/nouser/api-keys'))).toEqual({ data: [] });
  });
});

describe("the caller's own identity (contract/tokens#who-am-i)", () => {
  const configured = {
    requestsPerMinute: defaultLimit,
    sessionRequestsPerMinute: 60,
    maxActiveKeys: 10,
    maxNodes: 20,
  };
  const me = async (headers: Record<string, string>) => json(await gateway.fetch('/users/me', { headers }));

  test('a key returns its owner and itself, a token its roles, and neither returns data of the other', async () => {
    const roles = { roles: ['admin', 'auditor'] };
    expect(await me({ 'X-API-Key': key.apiKey })).toEqual({
      ...{ userId: 'caller', credential: 'api-key', keyId: key.keyId, roles: [], isAdmin: false },
      ...configured,
    });
    expect(await me(bearer('caller'))).toEqual({
      ...{ userId: 'caller', credential: 'token', roles: [], isAdmin: false },
      ...configured,
    });
    expect(await me(bearer('root', roles))).toEqual({
      ...{ userId: 'root', credential: 'token', ...roles, isAdmin: true },
      ...configured,
    });
  });

  test("a user's own limits are reported as soon as they are set, and the configured limits once they are removed", async () => {
    const limits = '/admin/users/greeted/limits';
    await json(await ask('PUT', limits, { userPerMinute: 7, maxActiveKeys: 3 }));
    const own = { ...configured, requestsPerMinute: 7, maxActiveKeys: 3 };
    expect(await me(bearer('greeted'))).toMatchObject(own);
    await json(await ask('PUT', limits, { sessionPerMinute: 8, nodes: 4 }));
    expect(await me(bearer('greeted'))).toMatchObject({ ...configured, sessionRequestsPerMinute: 8, maxNodes: 4 });
    expect((await ask('DELETE', limits)).status).toBe(204);
    expect(await me(bearer('greeted'))).toMatchObject(configured);
  });

  test('without a valid credential it is 401', async () => {
    expect((await gateway.fetch('/users/me')).status).toBe(401);
    expect((await gateway.fetch('/users/me', { headers: { 'X-API-Key': unknownKey() } })).status).toBe(401);
  });
});
