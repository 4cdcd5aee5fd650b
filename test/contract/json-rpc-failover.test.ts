/**
 * Nodes that fail or return wrong answers: the responses to callers, and which calls reach which node
 * (contract/json-rpc).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { until } from '@flowgate/testing/until';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  limits,
  logged,
  logOf,
  network,
  pathOf,
  rarely,
  read,
  transaction,
  withGateway,
} from '../../apps/gateway/test/fixtures/failing-nodes.ts';
import {
  answering,
  idsOf,
  type NodeBehavior,
  onChain,
  startFakeNode,
} from '../../apps/gateway/test/fixtures/fake-node.ts';
import { startRawNode } from '../../apps/gateway/test/fixtures/raw-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

describe('a node with an invalid response', () => {
  const text =
    (status: number, body: string, headers = {}) =>
    () =>
      new Response(body, { status, headers });
  const kinds: Record<string, NodeBehavior> = {
    'HTML with 500': text(500, '<html>Internal error</html>'),
    'HTML with 502': text(502, '<html>Bad gateway</html>'),
    'nothing with 503': text(503, '', { 'Retry-After': '60' }),
    'text with 429': text(429, 'slow down', { 'Retry-After': '60' }),
    'JSON with 403': text(403, '{"message":"forbidden"}'),
    'HTML with 200': text(200, '<html>Welcome</html>', { 'Content-Type': 'text/html' }),
    'nothing with 200': text(200, ''),
    'a redirect': text(302, '', { Location: 'http://127.0.0.1:1/' }),
    'an empty object': text(200, '{}'),
    'neither result nor error': (body) => Response.json({ jsonrpc: '2.0', id: idsOf(body)[0] }),
    "another call's id": text(200, '{"jsonrpc":"2.0","id":4711,"result":"0xdead"}'),
    'an error with a null id': text(200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}'),
    'an error for what it cannot read': text(200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'),
    'a compressed answer': text(200, 'x', { 'Content-Encoding': 'br' }),
    'an error with 429': async (body, request) =>
      new Response(await (await answering('{"code":-32005,"message":"limit"}', 'error')(body, request)).text(), {
        status: 429,
      }),
  };
  const names = Object.keys(kinds);
  /** Any caller could cause that response. */
  const speaksOfTheCall = 'an error for what it cannot read';
  const asksForCoolDown = ['nothing with 503', 'text with 429'];
  const first = startFakeNode();
  const second = startFakeNode();
  let gateway: RunningGateway;
  let key: string;

  beforeAll(async () => {
    const networks = names.flatMap((_, at) => [
      network(`read-${at}`, first.url, second.url),
      network(`send-${at}`, first.url, second.url),
    ]);
    gateway = await startGateway({ config: { limits, health: rarely, networks } });
    key = (await gateway.mint()).apiKey;
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([first.stop(), second.stop()]);
  });

  for (const [at, name] of names.entries()) {
    const counts = name !== speaksOfTheCall;
    const coolsDown = asksForCoolDown.includes(name);
    const becomes = coolsDown ? 'cools down' : counts ? 'is logged once' : 'continues';
    test(`${name}: reads go to the next node, the first one ${becomes}; a transaction is sent to no other`, async () => {
      first.behave(kinds[name] ?? text(500, ''));
      first.received.length = 0;
      second.received.length = 0;
      const answer = await gateway.rpc(key, read, pathOf(`read-${at}`));
      expect([answer.status, await jsonBody(answer)]).toEqual([200, { jsonrpc: '2.0', id: 1, result: '0x10' }]);
      expect((await gateway.rpc(key, read, pathOf(`read-${at}`))).status).toBe(200);
      expect([first.received.length, second.received.length]).toEqual([coolsDown ? 1 : 2, 2]);

      const sent = await gateway.rpc(key, transaction, pathOf(`send-${at}`));
      expect([first.methods().at(-1), second.received.length]).toEqual(['eth_sendRawTransaction', 2]);
      // A JSON-RPC error with the call's id is the node's own answer to the call.
      if (name === 'an error with 429')
        expect((await jsonBody(sent))['error']).toEqual({ code: -32005, message: 'limit' });
      else expect([sent.status, (await jsonBody(sent))['message']]).toEqual([502, expect.stringContaining('look for')]);

      const reported = () => logged(gateway, 'node.failed', `read-${at}-0`);
      if (counts) await until('it is logged', () => reported() > 0);
      expect(reported()).toBe(counts ? 1 : 0);
    });
  }
});

test('a connection is closed after an answer that does not match, and reused after one that does', async () => {
  const raw = await startRawNode();
  const http = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const error = '"error":{"code":-32000,"message":"x"}';
  const single: Record<string, (id: unknown) => string> = {
    'another id': () => '{"jsonrpc":"2.0","id":4711,"result":1}',
    'the id as a string': (id) => `{"jsonrpc":"2.0","id":"${id}","result":1}`,
    'no id': () => '{"jsonrpc":"2.0","result":1}',
    'an error with the id null': () => `{"jsonrpc":"2.0","id":null,${error}}`,
    'an error without id': () => `{"jsonrpc":"2.0",${error}}`,
    'no JSON': () => 'OK',
  };
  const batch: Record<string, (id: unknown) => string> = {
    'a batch with a stray': (id) => `[{"jsonrpc":"2.0","id":${id},"result":1},{"jsonrpc":"2.0","id":4711,"result":1}]`,
    'a batch with an answer twice': (id) =>
      `[{"jsonrpc":"2.0","id":${id},"result":1},{"jsonrpc":"2.0","id":${id},"result":2}]`,
    'a single answer to a batch': (id) => `{"jsonrpc":"2.0","id":${id},"result":1}`,
  };
  try {
    await withGateway({ networks: [network('raw', raw.url)] }, async (gateway, key) => {
      // A method without a block: the gateway does not ask for heads, which would use other connections.
      const call = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion"}';
      /** The connection on which the node received the call. */
      const askedOn = async (body: string, answer: (id: unknown) => string): Promise<[Socket, Response]> => {
        const asked = Promise.withResolvers<Socket>();
        raw.behave((socket, received) => {
          socket.write(http(answer(idsOf(received)[0])));
          asked.resolve(socket);
        });
        const response = await gateway.rpc(key, body, pathOf('raw'));
        return [await asked.promise, response];
      };
      const fitting = (id: unknown) => `{"jsonrpc":"2.0","id":${id},"result":1}`;
      const kinds = [...Object.entries(single), ...Object.entries(batch)];
      for (const [at, [name, answer]] of kinds.entries()) {
        const [first, response] = await askedOn(call, fitting);
        expect([name, response.status]).toEqual([name, 200]);
        const [second] = await askedOn(at < Object.keys(single).length ? call : `[${call},${call}]`, answer);
        expect([name, second === first]).toEqual([name, true]);
        await until(`the connection is closed after ${name}`, () => second.destroyed);
      }
    });
  } finally {
    await raw.stop();
  }
});

describe('a node of another chain', () => {
  test('receives no call from the start until it is on the right chain', async () => {
    const liar = startFakeNode();
    const good = startFakeNode();
    liar.behaveWhenProbed(onChain(1));
    try {
      await withGateway({ networks: [network('x', liar.url, good.url)] }, async (gateway, key) => {
        const post = (body: string) => gateway.rpc(key, body, pathOf('x'));
        for (let at = 0; at < 10; at++) expect((await post(at % 2 === 0 ? transaction : read)).status).toBe(200);
        await until('it is logged', () => logged(gateway, 'node.wrong-chain', 'x-0') === 1);
        expect(logOf(gateway).find(({ event }) => event === 'node.wrong-chain')?.found).toBe('1');
        expect([liar.received, good.received.length]).toEqual([[], 10]);
        expect((await gateway.fetch('/readyz')).status).toBe(200);

        const alone = await gateway.rpc(key, read, '/dlts/test/nodes/x-0/rpc');
        expect([alone.status, (await jsonBody(alone))['message']]).toEqual([
          502,
          'No node of this network is on its chain.',
        ]);
        expect(liar.received).toEqual([]);

        liar.behaveWhenProbed(undefined);
        await until('it is on the right chain', () => logged(gateway, 'node.recovered', 'x-0') === 1);
        expect((await post(read)).status).toBe(200);
        expect(liar.received).toHaveLength(1);
      });
    } finally {
      await Promise.all([liar.stop(), good.stop()]);
    }
  });

  test('that changed its chain while its connections were open is detected by a probe', async () => {
    const liar = startFakeNode();
    const good = startFakeNode();
    try {
      await withGateway(
        { health: { intervalSeconds: 1 }, networks: [network('x', liar.url, good.url)] },
        async (gateway, key) => {
          expect((await gateway.rpc(key, read, pathOf('x'))).status).toBe(200);
          expect(liar.received).toHaveLength(1);
          liar.behaveWhenProbed(onChain(1));
          await until('the probe detects it', () => logged(gateway, 'node.wrong-chain', 'x-0') === 1);
          for (let at = 0; at < 10; at++)
            expect((await gateway.rpc(key, at % 2 === 0 ? transaction : read, pathOf('x'))).status).toBe(200);
          expect([liar.received.length, good.received.length]).toEqual([1, 10]);
        },
      );
    } finally {
      await Promise.all([liar.stop(), good.stop()]);
    }
  });

  test('that changed its chain in a restart is detected by the first new connection', async () => {
    const first = startFakeNode();
    const port = Number(new URL(first.url).port);
    const good = startFakeNode();
    let liar = first;
    try {
      await withGateway({ networks: [network('x', first.url, good.url)] }, async (gateway, key) => {
        expect((await gateway.rpc(key, transaction, pathOf('x'))).status).toBe(200);
        await first.stop();
        liar = startFakeNode(port, 1);
        for (let at = 0; at < 10; at++)
          expect((await gateway.rpc(key, at % 2 === 0 ? transaction : read, pathOf('x'))).status).toBe(200);
        expect([first.received.length, liar.received, good.received.length]).toEqual([1, [], 10]);
      });
    } finally {
      await Promise.all([liar.stop(), good.stop()]);
    }
  });
});

test('a call that waits for a connection is not sent after its caller has disconnected', async () => {
  const node = startFakeNode();
  const release = Promise.withResolvers<void>();
  node.behave(async (body) => {
    await release.promise;
    return Response.json({ jsonrpc: '2.0', id: idsOf(body)[0], result: '0x10' });
  });
  try {
    await withGateway(
      { outbound: { maxConnectionsPerNode: 1 }, networks: [network('x', node.url)] },
      async (gateway, key) => {
        const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
        const post = (body: string, signal?: AbortSignal) =>
          gateway.fetch(pathOf('x'), { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) });
        const arrived = node.nextArrival();
        const first = post(read);
        await arrived;
        const leaving = new AbortController();
        const left = Array.from({ length: 60 }, (_, at) => post(at % 3 === 0 ? transaction : read, leaving.signal));
        const tool = { name: 'rpc_call', arguments: { dlt: 'test', networkId: 'x', method: 'eth_blockNumber' } };
        const agents = Array.from({ length: 10 }, () =>
          gateway.fetch('/mcp', {
            method: 'POST',
            headers: { ...headers, Accept: 'application/json, text/event-stream' },
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
            signal: leaving.signal,
          }),
        );
        const staying = Array.from({ length: 5 }, () => post(read));
        let asked = 0;
        await until('the gateway has read all of them', async () => {
          const { status, headers: shown } = await gateway.rpc(key, '{', pathOf('x'));
          expect(status).toBe(400);
          asked += 1;
          const counted = Number(shown.get('X-RateLimit-Limit')) - Number(shown.get('X-RateLimit-Remaining'));
          // Creating the key and the first call counted, too.
          return counted === 2 + left.length + agents.length + staying.length + asked;
        });
        leaving.abort();
        expect((await Promise.allSettled([...left, ...agents])).every(({ status }) => status === 'rejected')).toBe(
          true,
        );
        const notSent = () =>
          logOf(gateway).filter(({ event, status }) => event === 'request' && status === 503).length;
        const ofAgents = () =>
          logOf(gateway).filter(({ event, path }) => event === 'request' && path === '/mcp').length;
        await until('the gateway has abandoned all of them', () => notSent() === 60 && ofAgents() === 10);
        release.resolve();
        for (const answer of await Promise.all([first, ...staying])) expect(answer.status).toBe(200);
        expect(node.received).toHaveLength(6);
      },
    );
  } finally {
    await node.stop();
  }
});
