/** The lists of ledgers, networks and providers over HTTP (contract/conventions#lists, contract/networks#providers). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freePort } from '@flowgate/testing/free-port';
import { until } from '@flowgate/testing/until';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { atHeight, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { startRawNode } from '../../apps/gateway/test/fixtures/raw-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

type Schema = { readonly $ref?: string; readonly properties?: Readonly<Record<string, unknown>> };
type Parameter = {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly minimum?: number; readonly maximum?: number };
};
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
};

const nodeSecret = 'node-secret-0123456789abcdef';
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  const network = (dlt: string, at: number) => ({
    dlt,
    networkId: `net-${at}`,
    chainId: at + 1,
    nodes: [{ nodeId: `node-${at}`, url: `http://127.0.0.1:9/v2/${nodeSecret}` }],
  });
  const networks = Array.from({ length: 25 }, (_, at) => network(at < 23 ? 'ethereum' : 'other', at));
  gateway = await startGateway({ config: { networks } });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());

const get = (path: string) => gateway.fetch(path, { headers: { 'X-API-Key': key } });

async function page(path: string): Promise<{ data: unknown[]; nextCursor: unknown }> {
  const { data, nextCursor, ...more } = await jsonBody(await get(path));
  expect(more).toEqual({});
  if (!Array.isArray(data)) throw new Error('data is no array');
  return { data, nextCursor };
}

for (const [path, total] of Object.entries({
  '/dlts': 2,
  '/networks': 25,
  '/dlts/ethereum/networks': 23,
  '/dlts/other/networks': 2,
  '/providers': 8,
}))
  test(`${path} lists each entry once, 20 to a page with a token and 100 with an API key (contract/conventions#lists)`, async () => {
    const headers = { Authorization: `Bearer ${gateway.token()}` };
    const { data, nextCursor } = await jsonBody(await gateway.fetch(path, { headers }));
    expect(data).toBeArrayOfSize(Math.min(20, total));
    expect(typeof nextCursor).toBe(total > 20 ? 'string' : 'undefined');
    expect((await page(path)).data).toHaveLength(total);
    expect((await page(`${path}?limit=100`)).data).toHaveLength(total);
    const seen: unknown[] = [];
    let query = '?limit=1';
    for (let at = 0; at < total; at++) {
      const { data, nextCursor } = await page(`${path}${query}`);
      seen.push(...data);
      query = `?limit=1&cursor=${encodeURIComponent(String(nextCursor))}`;
      if (at === total - 1) expect(nextCursor).toBeUndefined();
    }
    expect(new Set(seen.map((entry) => JSON.stringify(entry))).size).toBe(total);
    for (const bad of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor='])
      await expectStandardError(await get(`${path}?${bad}`), { status: 400, error: 'Bad request', path });
    await expectStandardError(await gateway.fetch(path), { status: 401, error: 'Unauthorized', path });
  });

test('each list of the API accepts the same limit and a cursor, and documents both (contract/conventions#lists)', async () => {
  const { paths, components } = await jsonBody(await gateway.fetch('/openapi.json'));
  const lists: string[] = [];
  for (const [path, { get: operation }] of Object.entries(paths as Record<string, { get?: Operation }>)) {
    const schema = operation?.responses['200']?.content?.['application/json']?.schema;
    const name = schema?.$ref?.split('/').at(-1) ?? '';
    const { properties = {} } = (components as { schemas: Record<string, Schema> }).schemas[name] ?? schema ?? {};
    if (operation === undefined || !('nextCursor' in properties)) continue;
    lists.push(path);
    const names = operation.parameters?.map((parameter) => parameter.name) ?? [];
    expect([path, names.includes('cursor') || names.includes('after')]).toEqual([path, true]);
    const limit = operation.parameters?.find((parameter) => parameter.name === 'limit');
    expect([path, limit?.schema.minimum, limit?.schema.maximum]).toEqual([path, 1, 100]);
    expect(limit?.description).toContain('100 for a caller with an API key');
  }
  expect(lists).toContain('/users/me/history');
  expect(lists.length).toBeGreaterThan(20);
});

test('a network is found by its names; another is 404 (contract/networks#catalog)', async () => {
  expect(await jsonBody(await get('/dlts/ethereum/networks/net-3'))).toEqual(
    expect.objectContaining({ dlt: 'ethereum', networkId: 'net-3', family: 'evm', chainId: 4 }),
  );
  for (const path of ['/dlts/other/networks/net-3', '/dlts/ethereum/networks/net-99', '/dlts/x/networks'])
    await expectStandardError(await get(path), { status: 404, error: 'Not found', path });
});

test('the eight approved domains are the providers (contract/networks#providers)', async () => {
  const { data } = await page('/providers');
  const domains = 'alchemy.com infura.io quiknode.pro ankr.com chainstack.com getblock.io blastapi.io nodereal.io';
  const listed = JSON.stringify(data);
  for (const domain of domains.split(' ')) expect(listed).toContain(`"${domain}"`);
});

describe('live status (contract/networks#status)', () => {
  const statusOf = async (running: RunningGateway, apiKey: string, path: string) => {
    const answer = await running.fetch(path, { headers: { 'X-API-Key': apiKey } });
    const { status, blockHeight, nodes } = await jsonBody(answer);
    return { status, ...(blockHeight !== undefined && { blockHeight }), nodes };
  };
  const at = (networkId: string) => `/dlts/ethereum/networks/${networkId}`;
  const network = (networkId: string, ...urls: string[]) => ({
    ...{ dlt: 'ethereum', networkId, chainId: 31337 },
    nodes: urls.map((url, nth) => ({ nodeId: `${networkId}-${nth}`, url })),
  });

  test('up, degraded, down and unknown follow the health checks of the nodes, in every list', async () => {
    const [good, ahead] = [startFakeNode(), startFakeNode()];
    ahead.behaveWhenAskedForHead(atHeight(20));
    const wrong = startFakeNode(0, 1);
    const headless = startFakeNode();
    headless.behaveWhenAskedForHead(() => new Response('no', { status: 500 }));
    const silent = await startRawNode();
    silent.behaveWhenProbed(() => {});
    const gone = `http://127.0.0.1:${freePort()}`;
    const running = await startGateway({
      config: {
        health: { intervalSeconds: 1 },
        limits: { userPerMinute: 100_000 },
        networks: [
          network('up', good.url, ahead.url),
          network('degraded', good.url, gone, wrong.url),
          network('down', gone, wrong.url, headless.url),
          network('unknown', silent.url),
        ],
      },
    });
    try {
      const { apiKey } = await running.mint();
      const read = (networkId: string) => statusOf(running, apiKey, at(networkId));
      const expected = {
        unknown: { status: 'unknown', nodes: { healthy: 0, total: 1 } },
        up: { status: 'up', blockHeight: 20, nodes: { healthy: 2, total: 2 } },
        degraded: { status: 'degraded', blockHeight: 16, nodes: { healthy: 1, total: 3 } },
        down: { status: 'down', nodes: { healthy: 0, total: 3 } },
      };
      for (const [networkId, status] of Object.entries(expected)) {
        await until(`${networkId} has this status`, async () => Bun.deepEquals(await read(networkId), status));
      }
      const headers = { 'X-API-Key': apiKey };
      for (const path of ['/networks', '/dlts/ethereum/networks']) {
        const { data } = await jsonBody(await running.fetch(path, { headers }));
        expect(data).toMatchObject(['up', 'degraded', 'down', 'unknown'].map((status) => ({ status })));
      }
      good.behaveWhenAskedForHead(atHeight(21));
      await until('a new head is seen', async () => (await read('up')).blockHeight === 21);
      await ahead.stop();
      await until('a lost node is seen', async () => (await read('up')).status === 'degraded');
      headless.behaveWhenAskedForHead(undefined);
      await until('one success is enough', async () => (await read('down')).status === 'degraded');
    } finally {
      await Promise.all([running, good, ahead, wrong, headless, silent].map((each) => each.stop()));
    }
  });
});

test("no list shows a node's URL (contract/conventions#lists)", async () => {
  for (const path of ['/dlts', '/networks', '/dlts/ethereum/networks', '/dlts/ethereum/networks/net-1', '/providers'])
    expect(await (await get(path)).text()).not.toContain(nodeSecret);
});
