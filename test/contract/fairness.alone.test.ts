/**
 * While one sender sends the most expensive bytes, the calls of another user wait only a few milliseconds longer than
 * otherwise (contract/bounds#pieces). Gateway, attacker and user are separate processes. Measures real time without the
 * time of other processes: the file runs alone, and also passes on a busy machine.
 */

import { afterEach, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { opcodes } from '@flowgate/testing/raw-web-socket';
import { testRounds } from '@flowgate/testing/test-rounds';
import { until } from '@flowgate/testing/until';
import { flowAppSecret, publishFlowApp, reachesLoopback } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

/** Maximum additional milliseconds for nine of ten calls of another user, compared with times without an attack. */
const maxDelayMs = 25;
const measureMs = testRounds({ short: 1_000, long: 2_000 });
const minCalls = 30;
/** The minimum that an attacker sends, so that there is an attack. */
const minSentBytes = 100_000;

type Hostile = {
  readonly port: () => number;
  readonly sentBytes: () => number;
  readonly begin: () => void;
  readonly end: () => Promise<void>;
};

const running: { readonly end: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.end();
});

function startHostile(...given: readonly string[]): Hostile {
  let port = 0;
  let sentBytes = 0;
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../../apps/gateway/test/fixtures/hostile-traffic.ts'), ...given],
    {
      ipc(message: { readonly port?: number; readonly sentBytes?: number }) {
        port = message.port ?? port;
        sentBytes = message.sentBytes ?? sentBytes;
      },
    },
  );
  const hostile = {
    port: () => port,
    sentBytes: () => sentBytes,
    begin: () => child.send('begin'),
    async end() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
  running.push(hostile);
  return hostile;
}

async function startServer(...given: readonly string[]): Promise<Hostile> {
  const server = startHostile(...given);
  await until('the server listens', () => server.port() > 0);
  return server;
}

const network = { dlt: 'ethereum', networkId: 'attacked', name: 'Attacked', chainId: 31337, default: true };

async function startAttacked(scheme: 'http' | 'ws' | undefined, server: Hostile | undefined): Promise<RunningGateway> {
  const nodes = [{ nodeId: 'attacker', url: `${scheme}://127.0.0.1:${server?.port()}` }];
  const gateway = await startGateway({
    config: {
      ...reachesLoopback,
      limits: { userPerMinute: 1_000_000, sessionPerMinute: 1_000_000, webSocketsPerUser: 100 },
      log: { requests: 'none' },
      ...(scheme === undefined ? {} : { networks: [{ ...network, nodes }] }),
    },
  });
  running.push({ end: gateway.stop });
  return gateway;
}

/**
 * Milliseconds of the main thread of a process: running, and ready but waiting for a processor. Zeros where the system
 * does not report them.
 */
function threadTimes(pid: number): { readonly ranMs: number; readonly queuedMs: number } {
  const file = `/proc/${pid}/schedstat`;
  if (!existsSync(file)) return { ranMs: 0, queuedMs: 0 };
  const [ran, queued] = readFileSync(file, 'utf8').split(' ').map(Number);
  return { ranMs: (ran ?? 0) / 1e6, queuedMs: (queued ?? 0) / 1e6 };
}

/**
 * Two clocks that a busy machine does not advance: time in which neither the gateway nor this process waited for a
 * processor, and the processor time of the gateway's event loop.
 */
function clocks(gateway: RunningGateway): readonly [unqueuedMs: number, ranMs: number] {
  const { ranMs, queuedMs } = threadTimes(gateway.process.pid);
  const nowMs = performance.now();
  return [nowMs - queuedMs - threadTimes(process.pid).queuedMs, ranMs === 0 ? nowMs : ranMs];
}

/**
 * Milliseconds in which nine of ten calls are answered. One user sends the calls for at least `measureMs`; they reach
 * no node.
 */
async function measure(gateway: RunningGateway, apiKey: string): Promise<number> {
  const beganMs = performance.now();
  const times: number[] = [];
  while (performance.now() - beganMs < measureMs || times.length < minCalls) {
    const sent = clocks(gateway);
    const response = await fetch(`${gateway.url}/rpc`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"admin_peers"}',
    });
    await response.arrayBuffer();
    times.push(Math.min(...clocks(gateway).map((ms, nth) => ms - (sent[nth] ?? 0))));
    expect(response.status).toBe(403);
    // Real time: a call every few milliseconds meets every stall, and is no load.
    await Bun.sleep(5);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.9)] ?? Number.POSITIVE_INFINITY;
}

type Attack = {
  readonly what: string;
  /** A malicious server, as a node or as a Flow App. */
  readonly server?: readonly string[];
  readonly scheme?: 'http' | 'ws';
  /** The caller that attacks, or that repeatedly calls the malicious server. */
  readonly caller: (gateway: RunningGateway, apiKey: string) => readonly string[];
};

const calling =
  (path: string, body: object): Attack['caller'] =>
  ({ url }, apiKey) => ['calls', url + path, apiKey, JSON.stringify(body), '20'];
const callingNode = calling('/rpc', { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice' });
const pinging =
  (bytes: number): Attack['caller'] =>
  ({ port }, apiKey) => ['ping', `${port}`, `/rpc/${apiKey}`, '18', `${bytes}`];

const attacks: readonly Attack[] = [
  { what: 'empty pings on 18 connections', caller: pinging(0) },
  { what: 'pings of 125 bytes on 18 connections', caller: pinging(125) },
  {
    what: 'request bodies in chunks of one byte on 18 connections',
    caller: ({ port }, apiKey) => ['chunks', `${port}`, `/rpc/${apiKey}`, '18'],
  },
  {
    what: 'a Flow App that answers 20 session starts in chunks of one byte',
    server: ['answers-in-chunks'],
    caller: calling('/flow/sessions', { appId: 'acme/counter' }),
  },
  {
    what: 'a node that answers 20 calls in chunks of one byte',
    server: ['answers-in-chunks'],
    scheme: 'http',
    caller: callingNode,
  },
  ...Object.entries({ pings: opcodes.ping, pongs: opcodes.pong, fragments: opcodes.more }).map(
    ([name, opcode]): Attack => ({
      what: `a node that sends empty ${name}`,
      server: ['flood', `${opcode}`],
      scheme: 'ws',
      caller: callingNode,
    }),
  ),
];

test.each(attacks)("another user's calls are answered during $what", async ({ server: given, scheme, caller }) => {
  const server = given === undefined ? undefined : await startServer(...given);
  const gateway = await startAttacked(scheme, server);
  if (server !== undefined && scheme === undefined)
    await publishFlowApp(gateway, { url: `http://127.0.0.1:${server.port()}`, secret: flowAppSecret });
  const [attacker, other] = [await gateway.mint('attacker'), await gateway.mint('other')];
  const hostile = [server ?? [], startHostile(...caller(gateway, attacker.apiKey))].flat();
  const calmMs = await measure(gateway, other.apiKey);
  for (const each of hostile) each.begin();
  await until('the attack has begun', () => hostile.some((each) => each.sentBytes() > minSentBytes));
  const attackedMs = await measure(gateway, other.apiKey);
  expect(attackedMs).toBeLessThan(calmMs + maxDelayMs);
});
