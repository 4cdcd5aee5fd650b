/**
 * Calls to a failing node: a quick 502, another node where that is safe, and a transaction never twice
 * (contract/json-rpc#nodes).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { systemClock } from '@flowgate/base/clock';
import { until } from '@flowgate/testing/until';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, idsOf, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RawNode, startRawNode } from '../../apps/gateway/test/fixtures/raw-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const providerKey = 'provider-key-0123456789abcdef';
const headerSecret = 'header-secret-0123456789abcdef';
const fake = startFakeNode();
const second = startFakeNode();
const raws: RawNode[] = [];
let raw: RawNode;
let goneUrl: string;
let gateway: RunningGateway;
let key: string;

type NodeConfig = { nodeId: string; url: string; headers?: Record<string, string> };

beforeAll(async () => {
  const gone = startFakeNode();
  goneUrl = `${gone.url}/v2/${providerKey}`;
  await gone.stop();
  for (let at = 0; at < 4; at++) raws.push(await startRawNode());
  const [first] = raws;
  if (first === undefined) throw new Error('no raw node');
  raw = first;
  const network = (networkId: string, ...urls: string[]) => ({
    dlt: 'test',
    networkId,
    chainId: 31337,
    nodes: urls.map((url, at): NodeConfig => ({ nodeId: `${networkId}-${at}`, url })),
    routing: { strategy: 'ordered' },
  });
  const rawUrl = (at: number) => `${raws[at]?.url}/v2/${providerKey}`;
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      outbound: { nodeTimeoutSeconds: 0.3, maxResponseBytes: 100_000 },
      networks: [
        {
          ...network('fake'),
          nodes: [{ nodeId: 'fake-0', url: `${fake.url}/v2/${providerKey}`, headers: { Authorization: headerSecret } }],
        },
        network('raw', rawUrl(0)),
        network('gone', goneUrl),
        network('read-after-refusal', goneUrl, second.url),
        network('send-after-refusal', goneUrl, second.url),
        network('read-after-break', rawUrl(1), second.url),
        network('send-after-break', rawUrl(2), second.url),
        network('batch-after-break', rawUrl(3), second.url),
        network('all-gone', goneUrl, goneUrl),
      ],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([fake.stop(), second.stop(), ...raws.map((node) => node.stop())]);
});

const read = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
/** The gateway sends no calls of its own for this method. */
const plainRead = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion"}';
const transaction = '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f8"]}';
const pathOf = (networkId: string) => `/dlts/test/networks/${networkId}/rpc`;
const send = (networkId: string, body: string) => gateway.rpc(key, body, pathOf(networkId));
const seen: string[] = [];

async function expectBadGateway(networkId: string, body = read) {
  const started = systemClock.monotonic();
  const answer = await send(networkId, body);
  expect(systemClock.monotonic() - started).toBeLessThan(3_000);
  const { status, headers } = answer;
  const text = await answer.text();
  seen.push(text);
  await expectStandardError(new Response(text, { status, headers }), {
    status: 502,
    error: 'Bad gateway',
    path: pathOf(networkId),
  });
}

const http =
  (head: string, body = '') =>
  (socket: Socket) =>
    void socket.write(`HTTP/1.1 ${head}\r\n\r\n${body}`);

describe('a node that violates HTTP is 502 (contract/json-rpc#nodes)', () => {
  const breakages: Record<string, (socket: Socket, body: string) => void> = {
    'closes without an answer': (socket) => socket.end(),
    'resets the connection': (socket) => socket.resetAndDestroy(),
    'answers bytes that are not HTTP': (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    'closes in the middle of the head': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
    'closes in the middle of the body': (socket) =>
      void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"json'),
    'closes in the middle of a chunk': (socket) =>
      void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{"jsonrpc"'),
    'lies about its length': http('200 OK\r\nContent-Length: -5', '{}'),
    'gives two lengths': http('200 OK\r\nContent-Length: 2\r\nContent-Length: 3', '{}'),
    'never answers': () => {},
    'stops after the head': http('200 OK\r\nContent-Length: 40'),
    'redirects elsewhere': http('302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0'),
    'answers nothing': http('200 OK\r\nContent-Length: 0'),
    'answers 204': http('204 No Content'),
    'answers more than is allowed': http('200 OK\r\nContent-Length: 100000000', 'x'.repeat(1000)),
    'answers chunks without end': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const drip = setInterval(() => socket.write('1\r\n \r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    },
  };
  for (const [name, behavior] of Object.entries(breakages))
    test(name, async () => {
      raw.behave(behavior);
      await expectBadGateway('raw');
    });

  test('a node that recovers serves the next call', async () => {
    raw.behave((socket, body) => {
      const text = `{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":"0x10"}`;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    });
    expect((await send('raw', read)).status).toBe(200);
  });

  test('closing the connection after every answer is no fault', async () => {
    raw.behave((socket, body) => {
      const text = `{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":"0x10"}`;
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    });
    const statuses: number[] = [];
    for (let at = 0; at < 20; at++) statuses.push((await send('raw', read)).status);
    expect(statuses).toEqual(new Array(20).fill(200));
  });
});

describe('a node with an invalid response is 502 (contract/json-rpc#nodes)', () => {
  const rubbish: Record<string, (body: string) => Response> = {
    'a page of HTML': () => new Response(`<html>${providerKey}</html>`, { headers: { 'Content-Type': 'text/html' } }),
    'a page of HTML with 500': () => new Response('<html>Internal error</html>', { status: 500 }),
    'a page of HTML with 429': () => new Response('slow down', { status: 429 }),
    'nothing with 401': () => new Response(null, { status: 401 }),
    'an empty object': () => new Response('{}'),
    'an array': () => new Response('[]'),
    null: () => new Response('null'),
    'a cut object': (body) => new Response(`{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":`),
    'more after the object': (body) => new Response(`{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":1}x`),
    "another call's id": () => new Response('{"jsonrpc":"2.0","id":"other","result":"0xdead"}'),
    'no id': () => new Response('{"jsonrpc":"2.0","result":"0xdead"}'),
    'a result with a null id': () => new Response('{"jsonrpc":"2.0","id":null,"result":"0xdead"}'),
    'the id as a string': (body) => new Response(`{"jsonrpc":"2.0","id":"${idsOf(body)[0]}","result":"0xdead"}`),
    'neither result nor error': (body) => new Response(`{"jsonrpc":"2.0","id":${idsOf(body)[0]}}`),
    'result and error': (body) =>
      new Response(`{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":1,"error":{"code":1,"message":"x"}}`),
    'two results': (body) => new Response(`{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":1,"result":2}`),
    'an error that is a string': (body) => new Response(`{"jsonrpc":"2.0","id":${idsOf(body)[0]},"error":"no"}`),
    'invalid UTF-8': (body) =>
      new Response(Buffer.from(`{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":"\xff"}`, 'latin1')),
  };
  for (const [name, behavior] of Object.entries(rubbish))
    test(name, async () => {
      fake.behave(behavior);
      await expectBadGateway('fake');
    });
});

describe("a node's own JSON-RPC error is passed on with HTTP 200 (contract/json-rpc#nodes)", () => {
  const error = '{"code":-32000,"message":"nonce too low","data":{"x":1.0}}';
  for (const status of [200, 400, 429, 500])
    test(`answered with ${status}`, async () => {
      fake.behave(
        async (body) =>
          new Response(await (await answering(error, 'error')(body, new Request('http://x'))).text(), { status }),
      );
      const answer = await send('fake', transaction);
      expect([answer.status, await answer.text()]).toEqual([200, `{"jsonrpc":"2.0","id":1,"error":${error}}`]);
    });
});

describe('time', () => {
  test('a node that is too slow is 502 after the timeout, and no caller receives its late answer', async () => {
    const release = Promise.withResolvers<void>();
    fake.behave(async (body) => {
      await release.promise;
      return new Response(`{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":"late"}`);
    });
    await expectBadGateway('fake');
    fake.behave(answering('"prompt"'));
    release.resolve();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => jsonBody(await send('fake', read))));
    for (const answer of answers) expect(answer['result']).toBe('prompt');
  });

  test('a notification to a failing node is 204 (JSON-RPC 2.0, 4.1)', async () => {
    expect((await send('gone', '{"jsonrpc":"2.0","method":"eth_blockNumber"}')).status).toBe(204);
  });
});

describe('several nodes', () => {
  test('when no node is reachable: 502', async () => {
    await expectBadGateway('gone');
    await expectBadGateway('gone', transaction);
    await expectBadGateway('all-gone');
  });

  test('after a refused connection, reads and transactions go to the next node', async () => {
    second.received.length = 0;
    expect((await send('read-after-refusal', read)).status).toBe(200);
    expect((await send('send-after-refusal', transaction)).status).toBe(200);
    expect(second.methods()).toEqual(['eth_blockNumber', 'eth_sendRawTransaction']);
  });

  test('a read goes to the next node when the first one failed after receiving it', async () => {
    second.received.length = 0;
    expect((await send('read-after-break', plainRead)).status).toBe(200);
    expect([raws[1]?.received.length, second.methods()]).toEqual([1, ['web3_clientVersion']]);
  });

  test('a transaction is never sent twice: 502 when the first node failed after receiving it', async () => {
    second.received.length = 0;
    await expectBadGateway('send-after-break', transaction);
    expect([raws[2]?.received.length, second.received]).toEqual([1, []]);
  });

  test('nor in a batch, whose reads go to the next node (contract/transactions#batches)', async () => {
    second.received.length = 0;
    const answer = await send('batch-after-break', `[${plainRead},${transaction}]`);
    expect(await answer.json()).toMatchObject([
      { result: { method: 'web3_clientVersion' } },
      { error: { code: -32603, data: { detail: expect.stringContaining('by its hash') } } },
    ]);
    expect(second.methods()).toEqual(['web3_clientVersion']);
    expect(raws[3]?.received.filter((text) => text.includes('eth_sendRawTransaction'))).toHaveLength(1);
  });

  test('a call to one specific node goes to no other', async () => {
    second.received.length = 0;
    const path = '/dlts/test/nodes/read-after-refusal-0/rpc';
    await expectStandardError(await gateway.rpc(key, read, path), { status: 502, error: 'Bad gateway', path });
    expect(second.received).toEqual([]);
  });
});

test("no response and no log line contains a node's URL or headers (contract/conventions)", async () => {
  await gateway.rpc(key, read, '/dlts/test/networks/the-last/rpc');
  await until('the log is written', () => gateway.output().includes('/dlts/test/networks/the-last/rpc'));
  expect(gateway.output()).toContain('"event":"node.failed"');
  for (const text of [...seen, gateway.output()])
    for (const secret of [providerKey, headerSecret, goneUrl, fake.url, second.url]) expect(text).not.toContain(secret);
});
