/** Registering, listing, changing and deleting nodes over HTTP (contract/nodes). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { certificateMaker } from '@flowgate/testing/certificates';
import { until } from '@flowgate/testing/until';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, type FakeNode, onChain, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import {
  type NodeClient,
  newProviderKey,
  nodeClient,
  nodesHere,
} from '../../apps/gateway/test/fixtures/node-client.ts';
import { startRawNode } from '../../apps/gateway/test/fixtures/raw-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let node: FakeNode;
let alice: NodeClient;
let bob: NodeClient;
let admin: NodeClient;
let serial = 0;

beforeAll(async () => {
  gateway = await startGateway({ config: { ...nodesHere, health: { intervalSeconds: 1 } } });
  node = startFakeNode();
  alice = nodeClient(gateway, { sub: 'alice' });
  bob = nodeClient(gateway, { sub: 'bob' });
  admin = nodeClient(gateway, { sub: 'root', roles: ['admin'] });
});
afterAll(async () => {
  await gateway.stop();
  await node.stop();
});

const fresh = () => `${node.url}/v2/${newProviderKey()}`;
/** A user without nodes. */
const newUser = () => nodeClient(gateway, { sub: `user-${serial++}` });
const input = (url: string, more: object = {}) => ({ dlt: 'ethereum', networkId: 'dev', url, ...more });
const refusal = async (response: Promise<Response>, status: number, error: string, path = '/nodes') =>
  expectStandardError(await response, { status, error, path });

test('a node is registered, returned masked, checked, and listed (contract/nodes#registering)', async () => {
  const owner = newUser();
  const response = await owner.ask('POST', '/nodes', input(fresh(), { label: 'indexer' }));
  expect(response.status).toBe(201);
  const made = await jsonBody(response);
  expect(made).toEqual({
    ...{ nodeId: expect.stringMatching(/^node_[0-7][0-9A-HJKMNP-TV-Z]{25}$/), dlt: 'ethereum', networkId: 'dev' },
    ...{ providerId: 'here', label: 'indexer', kind: 'public', source: 'user', shared: false, status: 'pending' },
    ...{ url: `${node.url}/v2/***`, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ...{ circuit: { state: 'closed' }, last5Minutes: { calls: 0, failed: 0 } },
  });
  const path = `/nodes/${made['nodeId']}`;
  expect(response.headers.get('location')).toBe(path);
  expect(response.headers.get('cache-control')).toBe('no-store');
  await until('it is healthy', async () => (await jsonBody(await owner.ask('GET', path)))['status'] === 'healthy');
  const { status, blockHeight, latencyMs, checkedAt, ...rest } = await jsonBody(await owner.ask('GET', path));
  expect<unknown>({ ...rest, status: 'pending' }).toEqual(made);
  expect([status, blockHeight]).toEqual(['healthy', 16]);
  expect([typeof latencyMs, typeof checkedAt]).toEqual(['number', 'string']);
  expect(await owner.list()).toContainEqual(await jsonBody(await owner.ask('GET', path)));
});

test('an API key registers public nodes, and no private one', async () => {
  const { apiKey } = await gateway.mint('keyed');
  const keyed = nodeClient(gateway, { apiKey });
  const made = await keyed.register(fresh());
  expect((await keyed.list()).map(({ nodeId }) => nodeId)).toContain(made.nodeId);
  const adminsKey = nodeClient(gateway, { apiKey: (await gateway.mint('root')).apiKey });
  for (const client of [keyed, adminsKey, alice])
    await refusal(client.ask('POST', '/nodes', input(`${node.url}/`, { kind: 'private' })), 403, 'Forbidden');
});

test('an administrator registers a private node with any host, scheme and port, and without a key (contract/nodes#private-nodes)', async () => {
  const other = startFakeNode();
  const url = other.url.replace('127.0.0.1', 'localhost');
  const made = await admin.register(`${url}/`, { kind: 'private' });
  expect(made).toMatchObject({ kind: 'private', url: `${url}/` });
  expect(made['providerId']).toBeUndefined();
  expect((await admin.call(made.nodeId)).status).toBe(200);
  for (const bad of [`http://user:pass@localhost/`, `${url}/?key=1`, `${url}/#x`, 'ftp://localhost/', 'localhost'])
    expect(await refusal(admin.ask('POST', '/nodes', input(bad, { kind: 'private' })), 400, 'Bad request')).toMatch(
      /^url /,
    );
  await other.stop();
});

const key = 'k'.repeat(16);
const unfit: Record<string, readonly [url: string, rule: RegExp]> = {
  'http at a public host': [`http://eth.alchemy.com/${key}`, /url must have the scheme https/],
  'another scheme': [`ftp://eth.alchemy.com/${key}`, /url must be an absolute https URL/],
  'no URL': ['alchemy', /url must be an absolute https URL/],
  'a port': [`https://eth.alchemy.com:8443/${key}`, /url must have the default port, 443/],
  'a user': [`https://user@eth.alchemy.com/${key}`, /url must have no user/],
  'an empty user': [`https://@eth.alchemy.com/${key}`, /url must have no user/],
  'a password': [`https://u:p@eth.alchemy.com/${key}`, /url must have no user/],
  'a query': [`https://eth.alchemy.com/${key}?a=1`, /url must have no query/],
  'an empty query': [`https://eth.alchemy.com/${key}?`, /url must have no query/],
  'a fragment': [`https://eth.alchemy.com/${key}#a`, /url must have no fragment/],
  'an empty fragment': [`https://eth.alchemy.com/${key}#`, /url must have no fragment/],
  'no approved provider': [
    `https://eth.example.com/${key}`,
    /url must have a host at or below the domain of an approved/,
  ],
  'a host that only ends like one': [`https://evilalchemy.com/${key}`, /url must have a host at or below/],
  'a host below another': [`https://alchemy.com.evil.com/${key}`, /url must have a host at or below/],
  'no provider key': ['https://eth.alchemy.com/v2/short', /url must contain the provider's key/],
  'a key that is 15 long': [`https://eth.alchemy.com/v2/${'k'.repeat(15)}`, /url must contain the provider's key/],
  'a key with characters that are not URL-safe': [
    `https://eth.alchemy.com/v2/${'k'.repeat(15)}%2F`,
    /url must contain the provider's key/,
  ],
  'a private address': [`https://10.0.0.1/${key}`, /url must have a public address/],
  'an encoded host': [`https://eth%2ealchemy.com/${key}`, /url must have a plain host/],
  'a unicode host': [`https://älchemy.com/${key}`, /url must be plain ASCII/],
  'a backslash': [`https://eth.alchemy.com\\${key}`, /url must be plain ASCII/],
  'a trailing dot': [`https://eth.alchemy.com./${key}`, /url must have a host at or below/],
  'too long': [`https://eth.alchemy.com/${'k'.repeat(2_048)}`, /url must have at most 2048 characters/],
};
for (const [name, [url, rule]] of Object.entries(unfit))
  test(`a public node with ${name} is 400, and the message names url and the rule (contract/nodes#rules)`, async () => {
    const message = await refusal(alice.ask('POST', '/nodes', input(url)), 400, 'Bad request');
    expect(message).toMatch(rule);
    expect(message).not.toContain('kkkk');
  });

test('all broken rules are named at once, and so are other members', async () => {
  const message = await refusal(
    alice.ask('POST', '/nodes', { dlt: 'ethereum', networkId: 'none', url: 'http://u@a.example:81/?x#y' }),
    400,
    'Bad request',
  );
  for (const rule of [
    'networkId',
    'no user',
    'no query',
    'no fragment',
    'https',
    'default port',
    'approved provider',
    'key',
  ])
    expect(message).toContain(rule);
  const body = { dlt: 'ethereum', networkId: 'dev', url: 3, label: '', kind: 'other' };
  const members = await refusal(alice.ask('POST', '/nodes', body), 400, 'Bad request');
  for (const member of ['url', 'label', 'kind']) expect(members).toContain(member);
});

test('a node of another chain is 400, and the error names both chains; nothing is stored (contract/nodes#probe)', async () => {
  const owner = newUser();
  node.behaveWhenProbed(onChain(5));
  const message = await refusal(owner.ask('POST', '/nodes', input(fresh())), 400, 'Bad request');
  node.behaveWhenProbed(undefined);
  expect(message).toMatch(/url .*chain is 5, not 31337/);
  expect((await owner.list()).filter(({ source }) => source === 'user')).toEqual([]);
});

const senseless: Record<string, () => Response | Promise<Response>> = {
  'no JSON': () => new Response('hello'),
  'no result': () => Response.json({ jsonrpc: '2.0', id: 0, error: { code: 1, message: 'no' } }),
  'another id': () => Response.json({ jsonrpc: '2.0', id: 7, result: '0x7a69' }),
  'a redirect to the right answer': () => Response.redirect(`${gateway.node.url}/`, 307),
  'HTTP 500': () => new Response('{"jsonrpc":"2.0","id":0,"result":"0x7a69"}', { status: 500 }),
  'a hundred megabytes': () => new Response(endless(' '.repeat(65_536), 100_000_000)),
};
for (const [name, answer] of Object.entries(senseless))
  test(`a node that answers with ${name} is 502, and nothing is stored (contract/nodes#probe)`, async () => {
    const owner = newUser();
    node.behaveWhenProbed(answer);
    await refusal(owner.ask('POST', '/nodes', input(fresh())), 502, 'Bad gateway');
    node.behaveWhenProbed(undefined);
    expect((await owner.list()).filter(({ source }) => source === 'user')).toEqual([]);
  });

/** An endless text that is cut after this many bytes. */
function endless(text: string, bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(Buffer.from(text));
      left -= text.length;
      if (left <= 0) controller.close();
    },
  });
}

test('a server with the certificate of another host, or of an unknown authority, is 502 and receives no request (contract/nodes#probe)', async () => {
  const certificates = certificateMaker();
  const { certificate, key: secret } = certificates.make('localhost');
  let received = 0;
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0, tls: { cert: Bun.file(certificate), key: Bun.file(secret) } },
    fetch() {
      received++;
      return Response.json({ jsonrpc: '2.0', id: 0, result: '0x7a69' });
    },
  });
  const url = `https://127.0.0.1:${server.port}/${newProviderKey()}`;
  await refusal(alice.ask('POST', '/nodes', input(url)), 502, 'Bad gateway');
  await refusal(admin.ask('POST', '/nodes', input(url, { kind: 'private' })), 502, 'Bad gateway');
  expect(received).toBe(0);
  await server.stop(true);
  certificates.remove();
});

test("a provider's 429 to the probe is 502, and the error says so (contract/nodes#probe)", async () => {
  node.behaveWhenProbed(() => new Response('slow down', { status: 429 }));
  expect(await refusal(alice.ask('POST', '/nodes', input(fresh())), 502, 'Bad gateway')).toContain('429');
  node.behaveWhenProbed(undefined);
});

test('a node that sends its answer byte by byte is 502 within seconds (contract/nodes#probe)', async () => {
  const dripping = await startRawNode();
  dripping.behaveWhenProbed((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n');
    const drip = setInterval(() => socket.write(' '), 50);
    socket.on('close', () => clearInterval(drip));
  });
  const before = performance.now();
  await refusal(alice.ask('POST', '/nodes', input(`${dripping.url}/${newProviderKey()}`)), 502, 'Bad gateway');
  expect(performance.now() - before).toBeLessThan(15_000);
  await dripping.stop();
});

test('the same address, in any spelling, is 409 for every user until it is deleted (contract/nodes#duplicates)', async () => {
  const url = fresh();
  const { nodeId } = await alice.register(url);
  const spellings = [
    url,
    `${url}/`,
    url.replace('http://', 'HTTP://'),
    url.replace('/v2/', '/v2/./'),
    url.replace('/v2', '/%762'),
  ];
  for (const client of [alice, bob])
    for (const spelling of spellings) await refusal(client.ask('POST', '/nodes', input(spelling)), 409, 'Conflict');
  expect((await alice.ask('DELETE', `/nodes/${nodeId}`)).status).toBe(204);
  await refusal(alice.ask('GET', `/nodes/${nodeId}`), 404, 'Not found', `/nodes/${nodeId}`);
  await bob.register(url);
});

test('of thirty concurrent registrations of one node exactly one is stored (contract/nodes#duplicates)', async () => {
  const url = fresh();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => (at % 2 ? alice : bob).ask('POST', '/nodes', input(url))),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array.from({ length: 29 }, () => 409)]);
});

test('a user has at most twenty nodes: the next one is 409 until one is deleted (contract/nodes#registering)', async () => {
  const owner = newUser();
  const made: string[] = [];
  for (let at = 0; at < 20; at++) made.push((await owner.register(fresh())).nodeId);
  expect(await refusal(owner.ask('POST', '/nodes', input(fresh())), 409, 'Conflict')).toContain('20');
  await owner.ask('DELETE', `/nodes/${made[0]}`);
  await owner.register(fresh());
});

test('the owner changes label and URL; an invalid URL changes nothing (contract/nodes#changing)', async () => {
  const owner = newUser();
  const { nodeId } = await owner.register(fresh(), { label: 'old' });
  const path = `/nodes/${nodeId}`;
  expect(await jsonBody(await owner.ask('PATCH', path, { label: 'new' }))).toMatchObject({ label: 'new' });
  expect(await jsonBody(await owner.ask('PATCH', path, { label: null }))).not.toHaveProperty('label');
  const elsewhere = startFakeNode();
  const renewed = await owner.ask('PATCH', path, { url: `${elsewhere.url}/rotated/${newProviderKey()}` });
  expect([renewed.status, await jsonBody(renewed)]).toEqual([
    200,
    expect.objectContaining({ status: 'pending', url: `${elsewhere.url}/***/***` }),
  ]);
  elsewhere.behave(answering('"new"'));
  expect(await (await owner.call(nodeId)).json()).toMatchObject({ result: 'new' });
  await refusal(owner.ask('PATCH', path, { url: `http://a.example/${key}` }), 400, 'Bad request', path);
  const [mine] = await owner.list();
  expect(mine).toMatchObject({ nodeId, url: `${elsewhere.url}/***/***` });
  await refusal(owner.ask('PATCH', path, { shared: true }), 403, 'Forbidden', path);
  await refusal(owner.ask('PATCH', path, { label: '' }), 400, 'Bad request', path);
  const taken = await alice.register(fresh());
  expect(taken.nodeId).not.toBe(nodeId);
  await elsewhere.stop();
});

test("a new URL that another node has is a conflict; the node's own URL is accepted", async () => {
  const owner = newUser();
  const [one, two] = [fresh(), fresh()];
  const { nodeId } = await owner.register(one);
  await owner.register(two);
  await refusal(owner.ask('PATCH', `/nodes/${nodeId}`, { url: two }), 409, 'Conflict', `/nodes/${nodeId}`);
  expect((await owner.ask('PATCH', `/nodes/${nodeId}`, { url: `${one}/` })).status).toBe(200);
});

test("another user's node is 404 for reading, changing, deleting and calling, also for administrators (contract/nodes#calling)", async () => {
  const { nodeId } = await alice.register(fresh());
  const path = `/nodes/${nodeId}`;
  for (const client of [bob, admin]) {
    await refusal(client.ask('GET', path), 404, 'Not found', path);
    await refusal(client.ask('PATCH', path, { label: 'x' }), 404, 'Not found', path);
    await refusal(client.ask('DELETE', path), 404, 'Not found', path);
    expect((await client.call(nodeId)).status).toBe(404);
  }
  expect((await admin.list()).map((each) => each['nodeId'])).not.toContain(nodeId);
  for (const wrong of ['dev-1', 'node_x', 'x'])
    await refusal(alice.ask('DELETE', `/nodes/${wrong}`), 404, 'Not found', `/nodes/${wrong}`);
});

test("own nodes are listed first, newest first, then shared ones, then the operator's, with pages and filters (contract/nodes#listing)", async () => {
  const [owner, other] = [newUser(), newUser()];
  const own = [await owner.register(fresh()), await owner.register(fresh()), await owner.register(fresh())];
  const shared = await other.register(fresh());
  await admin.ask('PATCH', `/admin/nodes/${shared.nodeId}`, { shared: true });
  const ids = (entries: readonly object[]) => entries.map((entry) => ('nodeId' in entry ? entry.nodeId : undefined));
  const expected = [...own.map(({ nodeId }) => nodeId).toReversed(), shared.nodeId, 'dev-1'];
  expect(ids(await owner.list())).toEqual(expected);
  const seen: unknown[] = [];
  let query = '?limit=1';
  for (let at = 0; at < expected.length; at++) {
    const { data, nextCursor } = await jsonBody(await owner.ask('GET', `/nodes${query}`));
    if (!Array.isArray(data)) throw new Error('no page');
    seen.push(...ids(data));
    query = `?limit=1&cursor=${nextCursor}`;
    expect(nextCursor === undefined).toBe(at === expected.length - 1);
  }
  expect(seen).toEqual(expected);
  expect(ids(await owner.list('/nodes?dlt=ethereum&networkId=dev'))).toEqual(expected);
  expect(await owner.list('/nodes?dlt=solana')).toEqual([]);
  const [foreign] = (await owner.list()).slice(3);
  expect(foreign).not.toHaveProperty('url');
  const operator = (await owner.list()).at(-1);
  expect(operator).toMatchObject({ nodeId: 'dev-1', source: 'operator', shared: true });
  expect(operator).not.toHaveProperty('url');
  // what a check observes can change between two reads
  const observed = { blockHeight: 16, latencyMs: expect.any(Number), checkedAt: expect.any(String) };
  expect(await jsonBody(await owner.ask('GET', '/nodes/dev-1'))).toEqual({ ...operator, ...observed });
  for (const bad of ['limit=0', 'cursor=x', 'dlt=a&dlt=b'])
    await refusal(owner.ask('GET', `/nodes?${bad}`), 400, 'Bad request');
  await admin.ask('PATCH', `/admin/nodes/${shared.nodeId}`, { shared: false });
});

test("only administrators see all users' nodes, with masked URLs (contract/nodes#administrators)", async () => {
  const url = fresh();
  const { nodeId } = await alice.register(url);
  const all = await admin.list('/admin/nodes');
  expect(all.find((each) => each['nodeId'] === nodeId)).toMatchObject({ ownerId: 'alice', url: `${node.url}/v2/***` });
  expect(all.at(-1)).toMatchObject({ nodeId: 'dev-1', source: 'operator' });
  expect(JSON.stringify(all)).not.toContain(url.slice(-30));
  const adminsKey = nodeClient(gateway, { apiKey: (await gateway.mint('root')).apiKey });
  for (const client of [alice, adminsKey]) {
    await refusal(client.ask('GET', '/admin/nodes'), 403, 'Forbidden', '/admin/nodes');
    const path = `/admin/nodes/${nodeId}`;
    await refusal(client.ask('PATCH', path, { shared: true }), 403, 'Forbidden', path);
  }
  await refusal(admin.ask('PATCH', '/admin/nodes/none', { shared: true }), 404, 'Not found', '/admin/nodes/none');
  await refusal(
    admin.ask('PATCH', `/admin/nodes/${nodeId}`, { shared: 1 }),
    400,
    'Bad request',
    `/admin/nodes/${nodeId}`,
  );
  await refusal(admin.ask('PATCH', '/admin/nodes/dev-1', { shared: false }), 400, 'Bad request', '/admin/nodes/dev-1');
});
