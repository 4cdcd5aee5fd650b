/** Policies over HTTP: their routes, and the JSON-RPC calls that they refuse (contract/firewall). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import { contractEvasions, targetContract } from '../../apps/gateway/test/corpora/contract-evasions.ts';
import { expectCommonHeaders, expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
const second = startFakeNode(0, 31337);
const other = startFakeNode(0, 7);

beforeAll(async () => {
  const dev = { dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true };
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      networks: [
        {
          ...dev,
          nodes: [
            { nodeId: 'dev-1', url: '${NODE_URL}' },
            { nodeId: 'dev-2', url: second.url },
          ],
          methods: { enable: ['debug_*', 'trace_*', 'arbtrace_*', 'overlay_*'] },
        },
        { dlt: 'ethereum', networkId: 'other', chainId: 7, nodes: [{ nodeId: 'other-1', url: other.url }] },
      ],
    },
    environment: { NODE_URL: first.url },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.stop(), second.stop(), other.stop()]);
});
const first = startFakeNode(0, 31337);

const own = '/users/me/policies';
const global = '/admin/policies';
type Body = Readonly<Record<string, unknown>>;

const asUser = (sub: string) => ({ Authorization: `Bearer ${gateway.token(sub)}`, 'Content-Type': 'application/json' });
const asAdmin = () => ({
  Authorization: `Bearer ${gateway.token('root', { roles: ['admin'] })}`,
  'Content-Type': 'application/json',
});
const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  gateway.fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

async function made(path: string, headers: Record<string, string>, body: Body): Promise<JsonObject> {
  const response = await ask('POST', path, headers, body);
  const text = await response.text();
  expect([response.status, text]).toEqual([201, expect.any(String)]);
  const policy: unknown = JSON.parse(text);
  if (!isJsonObject(policy)) throw new Error('no policy');
  expect(response.headers.get('location')).toBe(`${path}/${policy['policyId']}`);
  return policy;
}

/** Runs `work` while these policies exist, then deletes them. */
async function during<T>(
  policies: readonly (readonly [sub: string | 'admin', body: Body])[],
  work: () => Promise<T>,
): Promise<T> {
  const placed = [];
  for (const [sub, body] of policies) {
    const [path, headers] = sub === 'admin' ? [global, asAdmin()] : [own, asUser(sub)];
    placed.push({ at: `${path}/${(await made(path, headers, body))['policyId']}`, headers });
  }
  try {
    return await work();
  } finally {
    for (const { at, headers } of placed) expect((await ask('DELETE', at, headers)).status).toBe(204);
  }
}

const network = (id = 'ethereum/dev') => ({ kind: 'network', id });
const deny = (resource: Body, more: Body = {}): Body => ({ effect: 'deny', subjects: ['*'], resource, ...more });
const allow = (resource: Body, more: Body = {}): Body => ({ ...deny(resource, more), effect: 'allow' });
const call = (method: string, params: unknown = [], id = 1) => ({ jsonrpc: '2.0', id, method, params });
const statusOf = async (apiKey: string, body: unknown, path = '/rpc') => (await gateway.rpc(apiKey, body, path)).status;
const forbidden = (response: Response, path = '/rpc') =>
  expectStandardError(response, { status: 403, error: 'Forbidden', path });

describe('the routes (contract/firewall#policies)', () => {
  const policyForm = /^pol_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

  test.each([
    [own, () => asUser('routes'), 'own'],
    [global, asAdmin, 'global'],
  ] as const)('%s: POST 201 with Location, GET, PATCH 200, DELETE 204, then 404', async (path, headersOf, scope) => {
    const headers = headersOf();
    const policy = await made(path, headers, {
      name: 'Nothing for mallory',
      ...deny({ kind: 'contract', id: 'ethereum/dev/0x00000000000000000000000000000000deadbeef' }),
      subjects: ['user:mallory', 'user:mallory', 'role:auditor'],
      selectors: ['0xA9059CBB'],
      unknown: 'ignored',
    });
    expect(policy).toEqual({
      policyId: expect.stringMatching(policyForm),
      scope,
      name: 'Nothing for mallory',
      effect: 'deny',
      subjects: ['user:mallory', 'role:auditor'],
      resource: { kind: 'contract', id: 'ethereum/dev/0x00000000000000000000000000000000DeaDBeef' },
      selectors: ['0xa9059cbb'],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: policy['createdAt'],
    });
    const at = `${path}/${policy['policyId']}`;
    expect(await jsonBody(await ask('GET', at, headers))).toEqual(policy);
    const changed = await ask('PATCH', at, headers, {
      name: null,
      selectors: null,
      resource: network(),
      methods: ['eth_*'],
    });
    expect(changed.status).toBe(200);
    const { name, selectors, ...unchanged } = policy;
    const now = await jsonBody(changed);
    expect(now).toEqual({
      ...unchanged,
      resource: network(),
      methods: ['eth_*'],
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect([name, selectors]).toBeDefined();
    expect(await jsonBody(await ask('PATCH', at, headers, {}))).toEqual(now);
    expect((await jsonBody(await ask('GET', path, headers)))['data']).toEqual([now]);
    expect((await ask('DELETE', at, headers)).status).toBe(204);
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const)
      await expectStandardError(await ask(method, at, headers, body), { status: 404, error: 'Not found', path: at });
    expect((await jsonBody(await ask('GET', path, headers)))['data']).toEqual([]);
  });

  test('a list is paged, newest first (contract/conventions#lists)', async () => {
    const headers = asUser('pages');
    const ids: unknown[] = [];
    for (let at = 0; at < 5; at++) ids.unshift((await made(own, headers, deny(network())))['policyId']);
    const seen: unknown[] = [];
    for (let query = '?limit=2'; query !== ''; ) {
      const { data, nextCursor } = await jsonBody(await ask('GET', own + query, headers));
      if (!Array.isArray(data)) throw new Error('no data');
      seen.push(...data.map((each) => each.policyId));
      query = typeof nextCursor === 'string' ? `?limit=2&cursor=${nextCursor}` : '';
    }
    expect(seen).toEqual(ids);
    await expectStandardError(await ask('GET', `${own}?limit=0`, headers), {
      status: 400,
      error: 'Bad request',
      path: own,
    });
  });

  test('own policies belong to their user; global ones need the role admin in a token (contract/firewall#policies)', async () => {
    const policy = await made(own, asUser('owner'), deny(network()));
    const at = `${own}/${policy['policyId']}`;
    for (const method of ['GET', 'DELETE'])
      await expectStandardError(await ask(method, at, asUser('thief')), { status: 404, error: 'Not found', path: at });
    const { apiKey } = await gateway.mint('owner');
    const withKey = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    expect((await ask('GET', at, withKey)).status).toBe(200);
    expect((await ask('GET', own, withKey)).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', own, deny(network())],
      ['PATCH', at, {}],
      ['DELETE', at, undefined],
      ['GET', global, undefined],
      ['POST', `${global}/explain`, { resource: network() }],
    ] as const)
      await expectStandardError(await ask(method, path, withKey, body), { status: 403, error: 'Forbidden', path });
    for (const method of ['GET', 'POST'])
      await expectStandardError(
        await ask(method, global, asUser('owner'), method === 'POST' ? deny(network()) : undefined),
        {
          status: 403,
          error: 'Forbidden',
          path: global,
        },
      );
    expect((await ask('DELETE', at, asUser('owner'))).status).toBe(204);
  });

  const wrong: readonly (readonly [what: string, body: unknown, names: string])[] = [
    ['no body', '[]', 'body'],
    ['no effect', { subjects: ['*'], resource: network() }, 'effect'],
    ['another effect', { ...deny(network()), effect: 'block' }, 'effect'],
    ['no subjects', { effect: 'deny', resource: network(), subjects: [] }, 'subjects'],
    ['101 subjects', deny(network(), { subjects: Array(101).fill('*') }), 'subjects'],
    ['a subject without a kind', deny(network(), { subjects: ['mallory'] }), 'subjects[0]'],
    ['a subject of another kind', deny(network(), { subjects: ['*', 'group:a'] }), 'subjects[1]'],
    ['a subject without an id', deny(network(), { subjects: ['user:'] }), 'subjects[0]'],
    ['a key that is none', deny(network(), { subjects: ['key:fk_abc'] }), 'subjects[0]'],
    ['a control character', deny(network(), { subjects: ['user:a\u0000'] }), 'subjects[0]'],
    [
      'a lone surrogate',
      '{"effect":"deny","subjects":["role:\\ud800"],"resource":{"kind":"network","id":"*"}}',
      'subjects[0]',
    ],
    ['no resource', { effect: 'deny', subjects: ['*'] }, 'resource'],
    ['a resource of another kind', deny({ kind: 'wallet', id: '*' }), 'resource.kind'],
    ['a network without a ledger', deny({ kind: 'network', id: 'dev' }), 'resource.id'],
    ['a network with a glob', deny({ kind: 'network', id: 'ethereum/*' }), 'resource.id'],
    ['a node with a slash', deny({ kind: 'node', id: 'a/b' }), 'resource.id'],
    ['a contract without a network', deny({ kind: 'contract', id: targetContract }), 'resource.id'],
    ['a short address', deny({ kind: 'contract', id: 'ethereum/dev/0xdeadbeef' }), 'resource.id'],
    [
      'a wrong checksum',
      deny({ kind: 'contract', id: 'ethereum/dev/0x00000000000000000000000000000000DEADbeef' }),
      'resource.id',
    ],
    ['an app without a publisher', deny({ kind: 'app', id: 'pay' }), 'resource.id'],
    ['methods of a contract', deny({ kind: 'contract', id: '*' }, { methods: ['eth_call'] }), 'methods'],
    ['selectors of a network', deny(network(), { selectors: ['0xa9059cbb'] }), 'selectors'],
    ['a method with a space', deny(network(), { methods: ['eth_call '] }), 'methods[0]'],
    ['a method of 129 characters', deny(network(), { methods: ['*'.repeat(129)] }), 'methods[0]'],
    ['no methods', deny(network(), { methods: [] }), 'methods'],
    ['a short selector', deny({ kind: 'contract', id: '*' }, { selectors: ['0xa9059c'] }), 'selectors[0]'],
    ['a name of 101 characters', { ...deny(network()), name: 'x'.repeat(101) }, 'name'],
  ];
  test.each(wrong)('%s is 400 and named (contract/conventions#members)', async (_, body, names) => {
    const message = await expectStandardError(await ask('POST', own, asUser('wrong'), body), {
      status: 400,
      error: 'Bad request',
      path: own,
    });
    expect(message).toContain(names);
  });

  test('a change is validated as a whole: methods do not fit a contract', async () => {
    const headers = asUser('whole');
    const policy = await made(own, headers, deny(network(), { methods: ['eth_call'] }));
    const at = `${own}/${policy['policyId']}`;
    const response = await ask('PATCH', at, headers, { resource: { kind: 'contract', id: '*' } });
    expect(await expectStandardError(response, { status: 400, error: 'Bad request', path: at })).toContain('methods');
  });

  test('the 101st own policy is 409, also among thirty concurrent requests (contract/firewall#policies)', async () => {
    const headers = asUser('many');
    const answers = [];
    for (let round = 0; round < 4; round++)
      answers.push(
        ...(await Promise.all(Array.from({ length: 30 }, () => ask('POST', own, headers, deny(network()))))).map(
          ({ status }) => status,
        ),
      );
    expect(answers.filter((status) => status === 201)).toHaveLength(100);
    expect(answers.filter((status) => status === 409)).toHaveLength(20);
    await expectStandardError(await ask('POST', own, headers, deny(network())), {
      status: 409,
      error: 'Conflict',
      path: own,
    });
  });
});

describe('JSON-RPC (contract/firewall-resources#json-rpc)', () => {
  test('a denied single call is 403 Forbidden and reaches no node; the response names no policy', async () => {
    const { apiKey } = await gateway.mint('single');
    await during([['admin', deny(network(), { subjects: ['user:single'], methods: ['ETH_get*'] })]], async () => {
      const before = first.received.length;
      const response = await gateway.rpc(apiKey, call('eth_getBalance'));
      const limited = response.headers.get('x-ratelimit-remaining');
      expect(limited).toMatch(/^\d+$/);
      expect(await forbidden(response)).not.toContain('pol_');
      for (const method of ['eth_GetCode', 'eth_getX']) await forbidden(await gateway.rpc(apiKey, call(method)));
      await forbidden(await gateway.rpc(apiKey, '{"jsonrpc":"2.0","id":1,"method":"\\u0065th_getBalance"}'));
      expect(first.received.length).toBe(before);
      expect(await statusOf(apiKey, call('eth_call'))).toBe(200);
      expect(await statusOf(apiKey, call('eth_getBalance'), '/dlts/ethereum/networks/other/rpc')).toBe(200);
    });
    expect(await statusOf(apiKey, call('eth_getBalance'))).toBe(200);
  });

  test('a denied element of a batch is -32003 "Forbidden." in its place; the others are answered; a denied notification is not', async () => {
    const { apiKey } = await gateway.mint('batch');
    await during([['batch', deny(network(), { methods: ['eth_getCode'] })]], async () => {
      const batch = [
        call('eth_blockNumber'),
        call('eth_getCode', [], 2),
        { jsonrpc: '2.0', method: 'eth_getCode' },
        call('admin_peers', [], 3),
      ];
      const before = first.received.length;
      const response = await gateway.rpc(apiKey, batch);
      expectCommonHeaders(response);
      expect([response.status, await response.json()]).toEqual([
        200,
        [
          { jsonrpc: '2.0', id: 1, result: '0x10' },
          { jsonrpc: '2.0', id: 2, error: { code: -32003, message: 'Forbidden.' } },
          { jsonrpc: '2.0', id: 3, error: expect.objectContaining({ code: -32601 }) },
        ],
      ]);
      expect(first.received.slice(before).join()).not.toContain('eth_getCode');
      const all = await gateway.rpc(apiKey, [call('eth_getCode', [], 9)]);
      expect(await all.json()).toEqual([{ jsonrpc: '2.0', id: 9, error: { code: -32003, message: 'Forbidden.' } }]);
    });
  });

  test('rate limits and the method policy apply before firewall policies', async () => {
    const { apiKey } = await gateway.mint('order');
    await during([['order', deny({ kind: 'network', id: '*' })]], async () => {
      const blocked = await gateway.rpc(apiKey, call('admin_peers'));
      expect([blocked.status, (await blocked.text()).includes('-32601')]).toEqual([403, true]);
      expect(await statusOf(apiKey, '{')).toBe(400);
      expect(await statusOf(apiKey, call('eth_accounts'))).toBe(200);
      expect(await statusOf(apiKey, call('eth_call'), '/dlts/ethereum/networks/none/rpc')).toBe(404);
    });
  });

  test('a user restricts an own key: an allow of one key excludes the other keys; other users are not affected (contract/firewall#decision)', async () => {
    const [one, two] = [await gateway.mint('keys'), await gateway.mint('keys')];
    const stranger = await gateway.mint('stranger');
    await during([['keys', allow(network(), { subjects: [`key:${one.keyId}`], methods: ['eth_call'] })]], async () => {
      expect(await statusOf(one.apiKey, call('eth_call'))).toBe(200);
      await forbidden(await gateway.rpc(one.apiKey, call('eth_chainId')));
      await forbidden(await gateway.rpc(two.apiKey, call('eth_call')));
      expect(await statusOf(stranger.apiKey, call('eth_chainId'))).toBe(200);
    });
  });

  test('an allow of the user does not lift a deny of the operator, nor the reverse', async () => {
    const { apiKey } = await gateway.mint('scopes');
    const both = [
      ['scopes', allow(network())],
      ['admin', deny(network(), { subjects: ['user:scopes'] })],
    ] as const;
    await during(both, async () => void (await forbidden(await gateway.rpc(apiKey, call('eth_call')))));
    const turned = [
      ['scopes', deny(network())],
      ['admin', allow(network())],
    ] as const;
    await during(turned, async () => void (await forbidden(await gateway.rpc(apiKey, call('eth_call')))));
  });

  test('roles come from tokens: an API key has none (contract/firewall#subjects)', async () => {
    const { apiKey } = await gateway.mint('roles');
    await during([['admin', allow(network(), { subjects: ['role:trader', 'user:nouser'] })]], async () => {
      await forbidden(await gateway.rpc(apiKey, call('eth_call')));
    });
  });

  test('a call to a node is also a call to its network (contract/firewall-resources#networks-and-nodes)', async () => {
    const { apiKey } = await gateway.mint('node');
    const path = '/dlts/ethereum/nodes/dev-2/rpc';
    expect(await statusOf(apiKey, call('eth_call'), path)).toBe(200);
    await during(
      [['node', deny(network())]],
      async () => void (await forbidden(await gateway.rpc(apiKey, call('eth_call'), path), path)),
    );
    await during([['node', deny({ kind: 'node', id: 'dev-2' })]], async () => {
      await forbidden(await gateway.rpc(apiKey, call('eth_call'), path), path);
      expect(await statusOf(apiKey, call('eth_call'))).toBe(200);
    });
  });

  test('denied nodes of a pool are not called; a call that no node may serve is refused (contract/firewall-resources#networks-and-nodes)', async () => {
    const { apiKey } = await gateway.mint('pool');
    const without = (id: string, more: Body = {}) => ['pool', deny({ kind: 'node', id }, more)] as const;
    await during([without('dev-1')], async () => {
      const before = [first.received.length, second.received.length];
      for (let at = 0; at < 3; at++) expect(await statusOf(apiKey, call('eth_call'))).toBe(200);
      expect(await statusOf(apiKey, [call('eth_call'), call('eth_chainId', [], 2)])).toBe(200);
      expect([first.received.length - (before[0] ?? 0), second.received.length - (before[1] ?? 0)]).toEqual([0, 4]);
    });
    await during([without('dev-1'), without('dev-2', { methods: ['eth_call'] })], async () => {
      await forbidden(await gateway.rpc(apiKey, call('eth_call')));
      expect(await statusOf(apiKey, call('eth_chainId'))).toBe(200);
      const response = await gateway.rpc(apiKey, [call('eth_chainId'), call('eth_call', [], 2)]);
      expect(await response.json()).toEqual([
        expect.objectContaining({ id: 1, result: expect.anything() }),
        { jsonrpc: '2.0', id: 2, error: { code: -32003, message: 'Forbidden.' } },
      ]);
    });
    await during([without('*')], async () => void (await forbidden(await gateway.rpc(apiKey, call('eth_call')))));
  });
});

describe('contracts (contract/firewall-resources#contracts)', () => {
  let apiKey: string;
  beforeAll(async () => {
    ({ apiKey } = await gateway.mint('contracts'));
  });
  const target = (more: Body = {}) =>
    ['contracts', deny({ kind: 'contract', id: `ethereum/dev/${targetContract}` }, more)] as const;

  test('no evasion reaches a denied contract, alone or in a batch; other calls are answered', async () => {
    await during([target()], async () => {
      const received = () => first.received.length + second.received.length;
      const before = received();
      for (const { trick, method, params, verdict } of contractEvasions) {
        const text = `{"jsonrpc":"2.0","id":1,"method":"${method}"${params === undefined ? '' : `,"params":${params}`}}`;
        const expected = verdict === 'passes' ? 200 : 403;
        const single = await gateway.rpc(apiKey, text);
        expect([trick, method, single.status]).toEqual([trick, method, expected]);
        const inBatch = await (await gateway.rpc(apiKey, `[${text}]`)).text();
        expect([trick, inBatch.includes('"error"')]).toEqual([trick, verdict !== 'passes']);
      }
      const passing = contractEvasions.filter(({ verdict }) => verdict === 'passes').length;
      expect(received() - before).toBe(2 * passing);
    });
  });

  test('selectors: only these functions are denied; a call without data is not', async () => {
    const dataCall = (data?: string) =>
      call('eth_call', [{ to: targetContract, ...(data === undefined ? {} : { data }) }]);
    await during([target({ selectors: ['0xa9059cbb', '0x12345600'] })], async () => {
      await forbidden(await gateway.rpc(apiKey, dataCall('0xa9059cbb0000')));
      await forbidden(await gateway.rpc(apiKey, dataCall('0x123456')));
      expect(await statusOf(apiKey, dataCall('0x70a08231'))).toBe(200);
      expect(await statusOf(apiKey, dataCall())).toBe(200);
    });
  });

  test('the resource of creations is ethereum/dev/create; the policy does not apply on another network', async () => {
    await during([['contracts', deny({ kind: 'contract', id: 'ethereum/dev/create' })]], async () => {
      await forbidden(await gateway.rpc(apiKey, call('eth_call', [{ data: '0x6001' }])));
      await forbidden(await gateway.rpc(apiKey, call('eth_estimateGas', [{ to: null, data: '0x6001' }])));
      expect(await statusOf(apiKey, call('eth_call', [{ to: targetContract }]))).toBe(200);
      expect(await statusOf(apiKey, call('eth_call', [{ data: '0x6001' }]), '/dlts/ethereum/networks/other/rpc')).toBe(
        200,
      );
    });
  });

  test('policies about contracts of other scopes refuse nothing', async () => {
    await during([target()], async () => {
      const { apiKey: elsewhere } = await gateway.mint('no-contracts');
      expect(
        await statusOf(elsewhere, '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x","to":"0x"}]}'),
      ).toBe(200);
      expect(await statusOf(elsewhere, call('eth_sendRawTransaction', ['0x02']))).toBe(200);
    });
  });
});

describe('REST (contract/firewall-resources#rest)', () => {
  const get = (sub: string, path: string) => ask('GET', path, asUser(sub));
  const idsAt = async (sub: string, path: string): Promise<unknown[]> => {
    const { data } = await jsonBody(await get(sub, path));
    if (!Array.isArray(data)) throw new Error('no list');
    return data.map(({ networkId, networks }) => networkId ?? networks);
  };

  test('a denied network is 403 and in no list; a deny of methods affects no read, an allow of some methods permits it', async () => {
    const path = '/dlts/ethereum/networks/dev';
    expect((await get('reader', path)).status).toBe(200);
    await during([['admin', deny(network(), { subjects: ['user:reader'] })]], async () => {
      await forbidden(await get('reader', path), path);
      expect(await idsAt('reader', '/networks')).toEqual(['other']);
      expect(await idsAt('reader', '/dlts/ethereum/networks')).toEqual(['other']);
      expect(await idsAt('reader', '/dlts')).toEqual([['other']]);
      expect(await idsAt('anyuser', '/networks')).toEqual(['dev', 'other']);
    });
    await during([['reader', deny(network(), { methods: ['*'] })]], async () => {
      expect((await get('reader', path)).status).toBe(200);
    });
    await during([['reader', allow(network(), { methods: ['eth_call'] })]], async () => {
      expect((await get('reader', path)).status).toBe(200);
    });
  });

  test("roles apply here: a token's role is denied, the same user's API key is not (contract/firewall#subjects)", async () => {
    const path = '/dlts/ethereum/networks/dev';
    const { apiKey } = await gateway.mint('trader');
    await during([['admin', deny(network(), { subjects: ['role:trader'] })]], async () => {
      const headers = { Authorization: `Bearer ${gateway.token('trader', { roles: ['trader'] })}` };
      await forbidden(await gateway.fetch(path, { headers }), path);
      expect((await gateway.fetch(path, { headers: { 'X-API-Key': apiKey } })).status).toBe(200);
    });
  });
});

describe('explain (contract/firewall#explain)', () => {
  const explain = async (headers: Record<string, string>, question: Body, path = own) => {
    const response = await ask('POST', `${path}/explain`, headers, question);
    expect(response.status).toBe(200);
    return jsonBody(response);
  };

  test('explain names the deciding policy when it is the caller’s own', async () => {
    const headers = asUser('explain');
    const { apiKey, keyId } = await gateway.mint('explain');
    expect(await explain(headers, { resource: network(), method: 'eth_call' })).toEqual({
      allowed: true,
      considered: 0,
    });
    const denied = await made(own, headers, deny(network(), { subjects: [`key:${keyId}`], methods: ['eth_*'] }));
    const decidedBy = { policyId: denied['policyId'], scope: 'own', effect: 'deny' };
    expect(await explain(headers, { resource: network(), method: 'eth_call', keyId })).toEqual({
      allowed: false,
      decidedBy,
      considered: 1,
    });
    expect(
      await explain(
        { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
        { resource: network(), method: 'ETH_CALL' },
      ),
    ).toEqual({
      allowed: false,
      decidedBy,
      considered: 1,
    });
    expect(await explain(headers, { resource: network(), method: 'eth_call' })).toEqual({
      allowed: true,
      considered: 1,
    });
    expect(await explain(headers, { resource: { kind: 'node', id: 'dev-1' }, method: 'eth_call', keyId })).toEqual({
      allowed: false,
      decidedBy,
      considered: 1,
    });
    expect(await explain(headers, { resource: network('ethereum/other'), keyId })).toEqual({
      allowed: true,
      considered: 0,
    });
    const needed = await made(own, headers, allow({ kind: 'contract', id: '*' }, { subjects: ['user:nouser'] }));
    expect(
      await explain(headers, {
        resource: { kind: 'contract', id: `ethereum/dev/${targetContract}` },
        selector: '0xA9059CBB',
      }),
    ).toEqual({
      allowed: false,
      decidedBy: { policyId: needed['policyId'], scope: 'own', effect: 'allow' },
      considered: 2,
    });
    for (const policy of [denied, needed]) await ask('DELETE', `${own}/${policy['policyId']}`, headers);
  });

  test('explain hides global policies from users; admins see all, for any user', async () => {
    const { keyId } = await gateway.mint('watched');
    const policy = await made(global, asAdmin(), deny(network(), { subjects: ['user:watched', 'role:trader'] }));
    const decidedBy = { policyId: policy['policyId'], scope: 'global', effect: 'deny' };
    const question = { resource: network() };
    expect(await explain(asUser('watched'), question)).toEqual({ allowed: false, considered: 0 });
    const asked = (more: Body) => explain(asAdmin(), { ...question, ...more }, global);
    expect(await asked({ userId: 'watched' })).toEqual({ allowed: false, decidedBy, considered: 1 });
    expect(await asked({ keyId })).toEqual({ allowed: false, decidedBy, considered: 1 });
    expect(await asked({ userId: 'anyuser', roles: ['trader'] })).toEqual({
      allowed: false,
      decidedBy,
      considered: 1,
    });
    expect(await asked({})).toEqual({ allowed: true, considered: 1 });
    await ask('DELETE', `${global}/${policy['policyId']}`, asAdmin());
  });

  test('a resource that does not exist or is hidden is not allowed, with the same response', async () => {
    for (const resource of [
      { kind: 'node', id: 'node_none' },
      { kind: 'app', id: 'acme/none' },
    ])
      expect(await explain(asUser('blind'), { resource })).toEqual({ allowed: false, considered: 0 });
  });

  test.each([
    ['a key of another user', { resource: network(), keyId: 'A'.repeat(16) }, 'keyId'],
    ['every network', { resource: { kind: 'network', id: '*' } }, 'resource.id'],
    ['no resource', {}, 'resource'],
    ['a wrong selector', { resource: network(), selector: '0x1' }, 'selector'],
  ])('%s is 400 and named', async (_, question, names) => {
    const path = `${own}/explain`;
    const response = await ask('POST', path, asUser('explain'), question);
    expect(await expectStandardError(response, { status: 400, error: 'Bad request', path })).toContain(names);
  });
});

test('policies survive a restart and apply from the first request', async () => {
  const { apiKey } = await gateway.mint('restart');
  const policy = await made(own, asUser('restart'), deny(network()));
  await gateway.restart();
  await forbidden(await gateway.rpc(apiKey, call('eth_call')));
  expect((await ask('DELETE', `${own}/${policy['policyId']}`, asUser('restart'))).status).toBe(204);
  expect(await statusOf(apiKey, call('eth_call'))).toBe(200);
});
