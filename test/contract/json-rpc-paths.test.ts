/**
 * The six JSON-RPC paths: the network or node that each reaches, and the responses of other paths
 * (contract/json-rpc#paths).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rawRequest } from '@flowgate/testing/raw-http';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { sendRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { answering, type FakeNode, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const names = ['main', 'spare', 'test', 'side'] as const;
const nodes = new Map<string, FakeNode>();
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  for (const name of names) {
    const node = startFakeNode();
    node.behave(answering(JSON.stringify(name)));
    nodes.set(name, node);
  }
  const node = (name: string) => ({ nodeId: `${name}-node`, url: nodes.get(name)?.url });
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      networks: [
        { dlt: 'ethereum', networkId: 'test', chainId: 31337, nodes: [node('test')] },
        {
          dlt: 'ethereum',
          networkId: 'main',
          chainId: 31337,
          default: true,
          nodes: [node('main'), node('spare')],
          routing: { strategy: 'ordered' },
        },
        { dlt: 'other', networkId: 'main', chainId: 31337, nodes: [node('side')] },
      ],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([...nodes.values()].map((node) => node.stop()));
});

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const byHeader = (path: string) => gateway.rpc(key, body, path);
const byPath = (path: string, apiKey = key) => gateway.fetch(`${path}/${apiKey}`, { method: 'POST', body });

const scopes = {
  '/rpc': 'main',
  '/dlts/ethereum/networks/main/rpc': 'main',
  '/dlts/ethereum/networks/test/rpc': 'test',
  '/dlts/other/networks/main/rpc': 'side',
  '/dlts/ethereum/nodes/main-node/rpc': 'main',
  '/dlts/ethereum/nodes/spare-node/rpc': 'spare',
  '/dlts/ethereum/nodes/test-node/rpc': 'test',
  '/dlts/other/nodes/side-node/rpc': 'side',
};

for (const [path, expected] of Object.entries(scopes))
  test(`${path} reaches ${expected}, with the key in the header and in the path (contract/json-rpc#paths)`, async () => {
    for (const answer of [await byHeader(path), await byPath(path)]) {
      expect([answer.status, await jsonBody(answer)]).toEqual([200, { jsonrpc: '2.0', id: 1, result: expected }]);
      expect(answer.headers.get('content-type')).toBe('application/json');
    }
  });

describe('an unknown path is 404 with a StandardError (contract/json-rpc#errors)', () => {
  const absent = [
    '/dlts/ethereum/networks/nowhere/rpc',
    '/dlts/nowhere/networks/main/rpc',
    '/dlts/other/networks/test/rpc',
    '/dlts/ethereum/nodes/nowhere/rpc',
    '/dlts/other/nodes/main-node/rpc',
    '/dlts/ETHEREUM/networks/main/rpc',
    '/dlts/ethereum/networks/main%20/rpc',
    '/dlts/ethereum/networks/__proto__/rpc',
    '/dlts/constructor/nodes/toString/rpc',
    '/dlts/ethereum/networks/main%00/rpc',
    '/dlts/ethereum%20main/networks/main/rpc',
  ];
  for (const path of absent)
    test(path, async () => {
      const received = [...nodes.values()].map((node) => node.received.length);
      await expectStandardError(await byHeader(path), { status: 404, error: 'Not found', path });
      await expectStandardError(await byPath(path), {
        status: 404,
        error: 'Not found',
        path: `${path}/fk_${key.slice(3, 19)}.***`,
      });
      expect([...nodes.values()].map((node) => node.received.length)).toEqual(received);
    });

  const unknownPaths = ['/RPC', '/rpc/x/y', '//rpc', '/rpc//', '/dlts/ethereum/networks/main', '/dlts/ethereum/rpc'];
  for (const path of [...unknownPaths, '/dlts/ethereum/networks//rpc', '/dlts//networks/main/rpc', '/v1/rpc'])
    test(`${path}, which no method answers by POST`, async () => {
      const headers = ['Host: gateway', `X-API-Key: ${key}`, `Content-Length: ${body.length}`];
      const answer = await sendRaw(gateway.port, rawRequest(`POST ${path} HTTP/1.1`, headers, body));
      expect([path, answer?.status]).toEqual([path, path === '/dlts/ethereum/networks/main' ? 405 : 404]);
    });
});

test('a percent-encoded path is the same path (RFC 3986, 2.1)', async () => {
  expect((await byHeader('/dlts/%65thereum/networks/m%61in/rpc')).status).toBe(200);
  expect((await byPath('/rpc', key.replace('fk_', 'f%6b%5F'))).status).toBe(200);
  expect((await byPath('/rpc', key.replace('.', '%2E'))).status).toBe(200);
});

test('a query string has no effect', async () => {
  expect((await byHeader('/rpc?apiKey=fk_other&method=admin_peers')).status).toBe(200);
  expect((await gateway.fetch(`/rpc?X-API-Key=${key}`, { method: 'POST', body })).status).toBe(401);
});

test('GET on a JSON-RPC path is 405 with Allow, key masked (contract/conventions#secrets)', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const answer = await gateway.fetch(`/rpc/${key}`, { method });
    expect(answer.headers.get('allow')?.split(', ')).toContain('POST');
    await expectStandardError(answer, {
      status: 405,
      error: 'Method not allowed',
      path: `/rpc/fk_${key.slice(3, 19)}.***`,
    });
  }
});

test('without a default network /rpc without a network is 404, and a single network is the default (contract/running)', async () => {
  const [main, side] = [nodes.get('main')?.url, nodes.get('side')?.url];
  const two = await startGateway({
    config: {
      networks: [
        { dlt: 'a', networkId: 'x', chainId: 31337, nodes: [{ nodeId: 'n1', url: main }] },
        { dlt: 'b', networkId: 'y', chainId: 31337, nodes: [{ nodeId: 'n2', url: side }] },
      ],
    },
  });
  try {
    const { apiKey } = await two.mint();
    await expectStandardError(await two.rpc(apiKey, body), { status: 404, error: 'Not found', path: '/rpc' });
    expect(await jsonBody(await two.rpc(apiKey, body, '/dlts/b/networks/y/rpc'))).toEqual(
      expect.objectContaining({ result: 'side' }),
    );
  } finally {
    await two.stop();
  }
});
