/** The load balancer's configuration does what its comments say: tests HAProxy itself, with stubs and with gateways. */

import { afterEach, describe, expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { checkHaproxy, haproxyMissing, prepareHaproxy, type RunningHaproxy, startHaproxy } from './running-haproxy.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const json = { 'Content-Type': 'application/json' };
const blockNumber = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });

type Stub = { readonly port: number; readonly seen: string[] };

/** A stub that is alive and ready, but gives this answer to all other requests. It records each `X-Request-Id`. */
function startStub(answer: (request: Request) => Response): Stub {
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      if (/\/(readyz|healthz)$/.test(request.url)) return new Response('{}');
      seen.push(request.headers.get('x-request-id') ?? '');
      return answer(request);
    },
  });
  cleanups.push(() => server.stop(true));
  return { port: server.port ?? 0, seen };
}

/** A stub that reads a request and closes the connection without a response. It answers probes. */
function startDropper(): Stub {
  const seen: string[] = [];
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        const text = bytes.toString();
        const id = /x-request-id: (\S+)/i.exec(text)?.[1];
        if (/^GET \/(readyz|healthz) /.test(text))
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        else {
          if (id !== undefined) seen.push(id);
          socket.end();
        }
      },
    },
  });
  cleanups.push(async () => server.stop(true));
  return { port: server.port, seen };
}

async function balance(...ports: readonly number[]): Promise<RunningHaproxy> {
  const haproxy = await startHaproxy(ports);
  cleanups.push(haproxy.stop);
  return haproxy;
}

/** A second gateway with the first one's database, issuer and node. */
async function startPair(): Promise<readonly [RunningGateway, RunningGateway]> {
  const first = await startGateway({ config: { server: { drainSeconds: 15 } } });
  cleanups.push(first.stop);
  const second = await startGateway({
    config: {
      storage: { database: `sqlite:${first.databaseFile}` },
      identity: { issuer: first.issuer.issuer, audience: first.issuer.audience },
      networks: [
        { dlt: 'ethereum', networkId: 'dev', chainId: 31337, nodes: [{ nodeId: 'dev-1', url: first.node.url }] },
      ],
    },
  });
  cleanups.push(second.stop);
  return [first, second];
}

describe.skipIf(haproxyMissing !== undefined)('deploy/compose/haproxy.cfg', () => {
  test('HAProxy accepts the file', async () => {
    const workplace = await prepareHaproxy([1, 2, 3]);
    const { code, output } = checkHaproxy(workplace);
    expect(code === 0 ? '' : output).toBe('');
    expect(output).not.toMatch(/WARNING|ALERT/);
  });

  test('a WebSocket passes through, including its close code (contract/websocket)', async () => {
    const gateway = await startGateway();
    cleanups.push(gateway.stop);
    const haproxy = await balance(gateway.port);
    const { apiKey } = await gateway.mint();
    const address = `${haproxy.url.replace('https', 'wss')}/rpc/${apiKey}`;
    const socket = new WebSocket(address, { tls: { rejectUnauthorized: false } });
    const answer = new Promise<string>((resolve, reject) => {
      socket.onopen = () => socket.send(blockNumber);
      socket.onmessage = ({ data }) => resolve(String(data));
      socket.onclose = ({ code }) => reject(new Error(`closed with ${code}`));
    });
    expect(await answer).toBe('{"jsonrpc":"2.0","id":1,"result":"0x10"}');
    const closed = new Promise<number>((resolve) => {
      socket.onclose = ({ code }) => resolve(code);
    });
    gateway.process.kill('SIGTERM');
    expect(await closed).toBe(1012);
  });

  test('a 503 is retried at another gateway where nothing was done: reads and JSON-RPC; creating a key is answered once (docs/reference/errors.md)', async () => {
    const refusing = startStub(() => new Response(null, { status: 503 }));
    const serving = startStub(() => new Response('{}'));
    const haproxy = await balance(refusing.port, serving.port);
    let nth = 0;
    const ask = async (method: string, path: string): Promise<number> => {
      nth += 1;
      const headers = { ...json, 'X-Request-Id': `call-${nth}` };
      return (await haproxy.fetch(path, { method, headers, ...(method === 'POST' && { body: blockNumber }) })).status;
    };
    const repeatable: readonly (readonly [string, string])[] = [
      ['GET', '/users/me/id'],
      ['POST', '/rpc'],
      ['POST', '/rpc/fk_key'],
      ['POST', '/dlts/ethereum/networks/dev/rpc'],
      ['POST', '/dlts/ethereum/nodes/n/rpc/fk_key'],
    ];
    // The balancer chooses the first gateway, so the test repeats until the refusing one was chosen.
    for (const [method, path] of repeatable) {
      const before = refusing.seen.length;
      for (let tries = 0; tries < 50 && refusing.seen.length === before; tries++)
        expect([path, await ask(method, path)]).toEqual([path, 200]);
      expect([path, refusing.seen.length > before]).toEqual([path, true]);
    }
    const first = nth + 1;
    let status = 200;
    for (let tries = 0; tries < 50 && status === 200; tries++) status = await ask('POST', '/users/me/api-keys');
    expect(status).toBe(503);
    const ids = Array.from({ length: nth - first + 1 }, (_, at) => `call-${first + at}`);
    const seen = [...refusing.seen, ...serving.seen].filter((id) => ids.includes(id));
    expect(seen.sort()).toEqual(ids.sort());
  });

  test('a call whose response was lost is never sent a second time (contract/json-rpc#nodes)', async () => {
    const droppers = [startDropper(), startDropper()] as const;
    const haproxy = await balance(droppers[0].port, droppers[1].port);
    for (const id of ['a', 'b', 'c', 'd']) {
      const response = await haproxy.fetch('/rpc', {
        method: 'POST',
        headers: { ...json, 'X-Request-Id': id },
        body: blockNumber,
      });
      expect(response.status).toBe(502);
    }
    expect([...droppers[0].seen, ...droppers[1].seen].filter((id) => id.length === 1).sort()).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  test('draining a gateway loses and refuses no call, and the one in flight succeeds', async () => {
    const [leaving, staying] = await startPair();
    const haproxy = await balance(leaving.port, staying.port);
    const { apiKey } = await leaving.mint();
    const headers = { ...json, 'X-API-Key': apiKey };
    const released = Promise.withResolvers<void>();
    const { node } = leaving;
    const answerAtOnce = (body: string) => Response.json({ jsonrpc: '2.0', id: JSON.parse(body).id, result: '0x1' });
    node.behave(async (body) => {
      if (body.includes('eth_getBalance')) await released.promise;
      return answerAtOnce(body);
    });
    const arrived = node.nextArrival();
    const inFlight = leaving.rpc(apiKey, { jsonrpc: '2.0', id: 7, method: 'eth_getBalance', params: [] });
    await arrived;

    const failures: string[] = [];
    let calls = 0;
    let loading = true;
    const worker = async () => {
      while (loading) {
        const response = await haproxy.fetch('/rpc', { method: 'POST', headers, body: blockNumber });
        calls += 1;
        if (response.status !== 200) failures.push(`${response.status} ${await response.text()}`);
        else await response.text();
        // Real time: the pause between calls, so that they stay below the limit of a minute.
        await Bun.sleep(50);
      }
    };
    const load = Promise.all([worker(), worker()]);
    leaving.process.kill('SIGTERM');
    await haproxy.logged(/Server ready\/gateway-1 is DOWN/);
    released.resolve();
    expect((await inFlight).status).toBe(200);
    expect(await leaving.process.exited).toBe(0);
    loading = false;
    await load;
    expect(failures).toEqual([]);
    expect(calls).toBeGreaterThan(10);
  });

  test('when no gateway is ready, live ones still serve known keys and refuse others in the documented form (docs/reference/errors.md)', async () => {
    const [first, second] = await startPair();
    const haproxy = await balance(first.port, second.port);
    const { apiKey } = await first.mint();
    const unknown = (await first.mint()).apiKey;
    for (const gateway of [first, second]) expect((await gateway.rpc(apiKey, blockNumber)).status).toBe(200);
    renameSync(first.databaseFile, `${first.databaseFile}.away`);
    await haproxy.logged(/backend ready has no server available/);

    const call = (key: string) =>
      haproxy.fetch('/rpc', { method: 'POST', headers: { ...json, 'X-API-Key': key }, body: blockNumber });
    expect((await call(apiKey)).status).toBe(200);
    const refused = await call(unknown);
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -32002 } });
  });
});
