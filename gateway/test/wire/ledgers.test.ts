/** The lists of ledgers, networks and providers over the wire (contract/conventions#lists, contract/networks#providers). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { expectStandardError, jsonBody } from '../fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../fixtures/running-gateway.ts';

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
  test(`${path} gives each entry once, 20 to a page unless asked otherwise (contract/conventions)`, async () => {
    const first = await page(path);
    expect(first.data).toHaveLength(Math.min(20, total));
    expect(typeof first.nextCursor).toBe(total > 20 ? 'string' : 'undefined');
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

test('a network is found by its names; another is 404 (contract/networks#catalogue)', async () => {
  expect(await jsonBody(await get('/dlts/ethereum/networks/net-3'))).toEqual(
    expect.objectContaining({ dlt: 'ethereum', networkId: 'net-3', chainId: 4 }),
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

test("no list shows a node's URL (contract/conventions#lists)", async () => {
  for (const path of ['/dlts', '/networks', '/dlts/ethereum/networks', '/dlts/ethereum/networks/net-1', '/providers'])
    expect(await (await get(path)).text()).not.toContain(nodeSecret);
});
