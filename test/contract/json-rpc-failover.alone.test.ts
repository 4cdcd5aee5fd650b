/** Nodes that fail, hang or return wrong answers: what their callers get, and which calls reach which node or none (contract/json-rpc). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { until } from '@flowgate/testing/until';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  answering,
  idsOf,
  type NodeBehaviour,
  onChain,
  startFakeNode,
} from '../../apps/gateway/test/fixtures/fake-node.ts';
import { startRawNode } from '../../apps/gateway/test/fixtures/raw-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const read = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
const transaction = '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f8"]}';
const pathOf = (networkId: string) => `/dlts/test/networks/${networkId}/rpc`;

/** Never probed again within a test, so that only calls decide what is asserted. */
const rarely = { intervalSeconds: 3_600 };
const limits = { userPerMinute: 100_000 };

function network(networkId: string, ...urls: string[]) {
  const nodes = urls.map((url, at) => ({ nodeId: `${networkId}-${at}`, url }));
  return { dlt: 'test', networkId, chainId: 31337, nodes, routing: { strategy: 'ordered' } };
}

type Log = { event: string; nodeId?: string; failure?: string; found?: string; status?: number; path?: string };
const logOf = (gateway: RunningGateway): Log[] =>
  gateway
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Log => JSON.parse(line));
const logged = (gateway: RunningGateway, event: string, nodeId: string) =>
  logOf(gateway).filter((line) => line.event === event && line.nodeId === nodeId).length;

/** Runs `act` with a gateway of its own and a key for it. */
async function withGateway(config: object, act: (gateway: RunningGateway, key: string) => Promise<void>) {
  const gateway = await startGateway({ config: { limits, health: rarely, ...config } });
  try {
    await act(gateway, (await gateway.mint()).apiKey);
  } finally {
    await gateway.stop();
  }
}

describe('a node that answers, but with no answer', () => {
  const text =
    (status: number, body: string, headers = {}) =>
    () =>
      new Response(body, { status, headers });
  const kinds: Record<string, NodeBehaviour> = {
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
    "somebody else's id": text(200, '{"jsonrpc":"2.0","id":4711,"result":"0xdead"}'),
    'an error for nobody': text(200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}'),
    'an error for what it cannot read': text(200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'),
    'a compressed answer': text(200, 'x', { 'Content-Encoding': 'br' }),
    'an error with 429': async (body, request) =>
      new Response(await (await answering('{"code":-32005,"message":"limit"}', 'error')(body, request)).text(), {
        status: 429,
      }),
  };
  const names = Object.keys(kinds);
  /** Any caller could cause that. */
  const speaksOfTheCall = 'an error for what it cannot read';
  const asksForRest = ['nothing with 503', 'text with 429'];
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
    const rests = asksForRest.includes(name);
    const becomes = rests ? 'rests' : counts ? 'is told of once' : 'goes on';
    test(`${name}: reads go to the next node, the first one ${becomes}; a transaction is sent to no other`, async () => {
      first.behave(kinds[name] ?? text(500, ''));
      first.received.length = 0;
      second.received.length = 0;
      const answer = await gateway.rpc(key, read, pathOf(`read-${at}`));
      expect([answer.status, await jsonBody(answer)]).toEqual([200, { jsonrpc: '2.0', id: 1, result: '0x10' }]);
      expect((await gateway.rpc(key, read, pathOf(`read-${at}`))).status).toBe(200);
      expect([first.received.length, second.received.length]).toEqual([rests ? 1 : 2, 2]);

      const sent = await gateway.rpc(key, transaction, pathOf(`send-${at}`));
      expect([first.methods().at(-1), second.received.length]).toEqual(['eth_sendRawTransaction', 2]);
      // A JSON-RPC error under the call's id is the node's own answer to it.
      if (name === 'an error with 429')
        expect((await jsonBody(sent))['error']).toEqual({ code: -32005, message: 'limit' });
      else expect([sent.status, (await jsonBody(sent))['message']]).toEqual([502, expect.stringContaining('look for')]);

      const told = () => logged(gateway, 'node.failed', `read-${at}-0`);
      if (counts) await until('it is told', () => told() > 0);
      expect(told()).toBe(counts ? 1 : 0);
    });
  }
});

test('a connection is closed after an answer that does not fit, and kept after one that does', async () => {
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
      // A method without a block: the gateway asks for no heads beside it, which would take connections of their own.
      const call = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion"}';
      /** The connection by which the node got the call. */
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

describe('a node that hangs', () => {
  /** A process that can be stopped as the kernel stops it: it accepts connections and answers nothing. */
  async function startNodeProcess() {
    const port = Promise.withResolvers<number>();
    const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../devkit/src/load/fixed-upstream.ts')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      ipc: (message: { port: number }) => port.resolve(message.port),
    });
    return { child, url: `http://127.0.0.1:${await port.promise}` };
  }

  test('among three is left: reads are answered elsewhere in time, what was not sent moves on, and nobody else waits', async () => {
    const nodes = await Promise.all([startNodeProcess(), startNodeProcess(), startNodeProcess()]);
    const [hung] = nodes;
    if (hung === undefined) throw new Error('no node');
    const connections = 8;
    const outbound = { nodeTimeoutSeconds: 4.5, maxConnectionsPerNode: connections };
    try {
      await withGateway(
        { outbound, networks: [network('three', ...nodes.map(({ url }) => url))] },
        async (gateway, key) => {
          const post = (body: string) => gateway.rpc(key, body, pathOf('three'));
          // Each another one: equal reads under way are one call to a node.
          let nth = 0;
          const reads = (count: number) =>
            Array.from({ length: count }, () => read.replace('eth_blockNumber"', `web3_sha3","params":["0x${++nth}"]`));
          const warm = await Promise.all(reads(20).map(post));
          expect(warm.every(({ status }) => status === 200)).toBe(true);
          hung.child.kill('SIGSTOP');

          const startedMs = systemClock.monotonic();
          const bodies = [...reads(100), ...new Array(20).fill(transaction)];
          const answers = await Promise.all(
            bodies.map(async (body) => ({ answer: await post(body), ms: systemClock.monotonic() - startedMs })),
          );
          expect(answers.map(({ answer }) => answer.status)).toEqual(bodies.map(() => 200));
          // One try has a second and a half of the four and a half: far less than six each, let alone one after the other. All connections were busy with
          // reads, so that transactions had only waited, and moved on.
          expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(4_000);
          await until('it rests', async () => {
            await Promise.all(reads(20).map(post));
            return logged(gateway, 'node.resting', 'three-0') > 0;
          });
          expect(logged(gateway, 'node.resting', 'three-0')).toBe(1);

          const againMs = systemClock.monotonic();
          const again = await Promise.all(reads(100).map(post));
          expect(again.every(({ status }) => status === 200)).toBe(true);
          expect(systemClock.monotonic() - againMs).toBeLessThan(2_000);

          hung.child.kill('SIGCONT');
          await until('the node is back', async () => {
            await Promise.all(reads(1).map(post));
            return logged(gateway, 'node.recovered', 'three-0') > 0;
          });
        },
      );
    } finally {
      for (const { child } of nodes) child.kill('SIGKILL');
      await Promise.all(nodes.map(({ child }) => child.exited));
    }
  });

  test('from the start holds up neither the start nor a call: on a new connection nothing is sent before it has answered', async () => {
    const silent = await startRawNode();
    const good = startFakeNode();
    silent.behaveWhenProbed(() => {});
    try {
      await withGateway(
        { outbound: { nodeTimeoutSeconds: 0.9 }, networks: [network('start', silent.url, good.url)] },
        async (gateway, key) => {
          for (const body of [transaction, read, transaction])
            expect((await gateway.rpc(key, body, pathOf('start'))).status).toBe(200);
          expect([silent.received, good.received.length]).toEqual([[], 3]);
        },
      );
    } finally {
      await Promise.all([silent.stop(), good.stop()]);
    }
  });
});

describe('a node of another chain', () => {
  test('gets no call from the start until it is right', async () => {
    const liar = startFakeNode();
    const good = startFakeNode();
    liar.behaveWhenProbed(onChain(1));
    try {
      await withGateway({ networks: [network('x', liar.url, good.url)] }, async (gateway, key) => {
        const post = (body: string) => gateway.rpc(key, body, pathOf('x'));
        for (let at = 0; at < 10; at++) expect((await post(at % 2 === 0 ? transaction : read)).status).toBe(200);
        await until('it is told', () => logged(gateway, 'node.wrong-chain', 'x-0') === 1);
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
        await until('it is right', () => logged(gateway, 'node.recovered', 'x-0') === 1);
        expect((await post(read)).status).toBe(200);
        expect(liar.received).toHaveLength(1);
      });
    } finally {
      await Promise.all([liar.stop(), good.stop()]);
    }
  });

  test('that became one while its connections stay open is found by a probe', async () => {
    const liar = startFakeNode();
    const good = startFakeNode();
    try {
      await withGateway(
        { health: { intervalSeconds: 1 }, networks: [network('x', liar.url, good.url)] },
        async (gateway, key) => {
          expect((await gateway.rpc(key, read, pathOf('x'))).status).toBe(200);
          expect(liar.received).toHaveLength(1);
          liar.behaveWhenProbed(onChain(1));
          await until('it is found', () => logged(gateway, 'node.wrong-chain', 'x-0') === 1);
          for (let at = 0; at < 10; at++)
            expect((await gateway.rpc(key, at % 2 === 0 ? transaction : read, pathOf('x'))).status).toBe(200);
          expect([liar.received.length, good.received.length]).toEqual([1, 10]);
        },
      );
    } finally {
      await Promise.all([liar.stop(), good.stop()]);
    }
  });

  test('that became one when it was restarted is found by the first new connection', async () => {
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

test('what waits for a connection is not sent any more once its caller has left', async () => {
  const node = startFakeNode();
  const letGo = Promise.withResolvers<void>();
  node.behave(async (body) => {
    await letGo.promise;
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
          // The key's mint and the first call were counted as well.
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
        await until('all of them were given up', () => notSent() === 60 && ofAgents() === 10);
        letGo.resolve();
        for (const answer of await Promise.all([first, ...staying])) expect(answer.status).toBe(200);
        expect(node.received).toHaveLength(6);
      },
    );
  } finally {
    await node.stop();
  }
});
