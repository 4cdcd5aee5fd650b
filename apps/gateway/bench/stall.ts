/**
 * Measures how long one caller's most expensive requests delay all others: they are sent in succession while others'
 * calls are measured at a fixed rate.
 */
import { connect, type Socket } from 'node:net';
import { largeMethod } from '@flowgate/devkit/load/fixed-upstream';
import { largeResultKinds } from '@flowgate/devkit/load/large-results';
import { median } from '@flowgate/devkit/load/percentiles';
import { hostileBodies, plainBody } from '@flowgate/testing/hostile-bodies';
import type { Contestant } from './contestant.ts';
import type { Bench } from './measure.ts';
import { scenarios } from './scenarios.ts';

export const stallName = 'stall';

/** Requests of one kind, sent in turn; `head` has neither key nor framing. */
export type StallScenario = {
  readonly name: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly bodies: () => Iterable<{ readonly name: string; readonly text: string }>;
  /** Sends the body in chunks of one byte. */
  readonly inSmallChunks?: boolean;
  /** The number of concurrent requests; default 1. */
  readonly atOnce?: number;
  /**
   * How much of an answer the caller reads: its `beginning` (default), after which it closes; `all`; or, with
   * `no-more`, its beginning, after which it stays connected and reads nothing.
   */
  readonly fetches?: 'beginning' | 'all' | 'no-more';
};

export type StallRow = {
  readonly scenario: string;
  /** The number of requests that were sent during the measurement of others. */
  readonly sent: number;
  /** Latency of the others' calls, measured from the time at which each was due. */
  readonly p99Us: number;
  readonly maxUs: number;
  /** The request with the slowest answer, and its duration. */
  readonly slowest: { readonly name: string; readonly ms: number } | undefined;
};

const maxBytes = 5_242_880;
const maxFlowBytes = 1_048_576;
/** The rate of the others' calls: enough to detect every stall of 5 ms, too low to be a load. */
const perSecond = 200;
const connections = 8;
/** Milliseconds that the generator runs before and after the requests. */
const leadMs = 100;

const madeOf = (bytes: number) =>
  function* (): Generator<{ name: string; text: string }> {
    for (const { name, make } of hostileBodies) yield { name, text: make(bytes) };
  };

function agentBodies(): { name: string; text: string }[] {
  return hostileBodies.map(({ name, make }) => {
    const params = make(maxFlowBytes - 100);
    return { name, text: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${params}}}` };
  });
}

/** Calls that a node answers with this many mebibytes. */
const answersOf = (mebibytes: number, kinds: readonly string[], times = 1) =>
  kinds.flatMap((kind) =>
    Array.from({ length: times }, () => ({
      name: `${mebibytes} MiB of ${kind}`,
      text: JSON.stringify({ jsonrpc: '2.0', id: 1, method: largeMethod, params: [kind, mebibytes] }),
    })),
  );
const closing = ['Connection: close'];

/** Add any request here that delays others more. */
export const stallScenarios: readonly StallScenario[] = [
  { name: 'nothing', path: '/rpc', headers: [], bodies: () => [] },
  {
    name: 'plain bodies',
    path: '/rpc',
    headers: [],
    bodies: () => Array.from({ length: 10 }, () => ({ name: plainBody.name, text: plainBody.make(maxBytes) })),
  },
  { name: 'hostile bodies, JSON-RPC', path: '/rpc', headers: [], bodies: madeOf(maxBytes) },
  { name: 'hostile bodies, Flow', path: '/flow/sessions', headers: [], bodies: madeOf(maxFlowBytes) },
  {
    name: 'hostile bodies, agents',
    path: '/mcp',
    headers: ['Accept: application/json, text/event-stream', 'MCP-Protocol-Version: 2025-06-18'],
    bodies: agentBodies,
  },
  {
    name: 'chunks of one byte',
    path: '/rpc',
    headers: [],
    bodies: () => [{ name: plainBody.name, text: plainBody.make(maxFlowBytes) }],
    inSmallChunks: true,
  },
  {
    name: 'answers of 60 MiB',
    path: '/rpc',
    headers: closing,
    bodies: () => answersOf(60, largeResultKinds),
    fetches: 'all',
  },
  {
    name: 'answers of 15 MiB, four at once',
    path: '/rpc',
    headers: closing,
    bodies: () => answersOf(15, largeResultKinds, 4),
    atOnce: 4,
    fetches: 'all',
  },
  {
    name: 'answers of 8 MiB, 100 unread',
    path: '/rpc',
    headers: closing,
    bodies: () => answersOf(8, ['logs'], 100),
    atOnce: 100,
    fetches: 'no-more',
  },
];

/** The scenarios that depend on the protocol to the node: its largest answers. */
export const stallsOverWebSocket: readonly StallScenario[] = stallScenarios
  .filter(({ name }) => name.startsWith('answers'))
  .map((scenario) => ({ ...scenario, name: `${scenario.name}, over WebSocket` }));

/** Rows in the scenarios' order; each figure is the median over the rounds. */
export async function measureStalls(
  bench: Bench,
  contestant: Contestant,
  chosen: readonly StallScenario[],
  progress: (sentence: string) => void,
): Promise<readonly StallRow[]> {
  const rows: StallRow[] = [];
  for (const scenario of chosen) {
    progress(`stall, ${scenario.name}`);
    const rounds: StallRow[] = [];
    // The first round is cold, as a gateway is for a real attacker; the longest delay of all rounds is reported.
    for (let round = 0; round < Math.min(3, bench.options.rounds); round += 1)
      rounds.push(await measureStall(bench, contestant, scenario));
    rows.push({
      scenario: scenario.name,
      sent: rounds.reduce((sum, { sent }) => sum + sent, 0),
      p99Us: median(rounds.map(({ p99Us }) => p99Us)),
      maxUs: Math.max(...rounds.map(({ maxUs }) => maxUs)),
      slowest: rounds.map(({ slowest }) => slowest).reduce(slower),
    });
  }
  return rows;
}

async function measureStall(bench: Bench, contestant: Contestant, scenario: StallScenario): Promise<StallRow> {
  const { generator, population, options } = bench;
  // A call that the gateway answers alone, so that a node that is busy with the attacker's requests delays no caller.
  const calls = scenarios.find(({ name }) => name === 'blocked');
  const [attacker, ...others] = population.hot;
  if (calls === undefined || attacker === undefined) throw new Error('there is no one to measure with');
  const requests = { ...calls.requests({ ...population, hot: others }, 0), port: contestant.main.port };
  await generator.prepare({ requests, expectation: calls.expectation, connections, warmUpMs: options.warmUpMs });
  const bodies = [...scenario.bodies()].map(({ name, text }) => ({ name, bytes: framed(text, scenario) }));
  // The duration of the requests is unknown, so others are measured in pieces of this length until the requests are
  // done.
  const pieceMs = options.latencyMs;
  let over = false;
  let slowest: StallRow['slowest'];
  const open: Socket[] = [];
  const sending = (async () => {
    await Bun.sleep(leadMs);
    const one = async ({ name, bytes }: { name: string; bytes: Buffer }) => {
      const startedMs = performance.now();
      const { fetches = 'beginning' } = scenario;
      open.push(await send(contestant.main.port, head(scenario, attacker.key, bytes), bytes, fetches));
      slowest = slower(slowest, { name, ms: performance.now() - startedMs });
    };
    const { atOnce = 1 } = scenario;
    for (let at = 0; at < bodies.length; at += atOnce) await Promise.all(bodies.slice(at, at + atOnce).map(one));
  })().finally(() => {
    over = true;
    for (const socket of open) socket.destroy();
  });
  const pieces: { readonly p99Us: number; readonly maxUs: number }[] = [];
  do pieces.push(await generator.measure({ kind: 'open', perSecond, durationMs: pieceMs }));
  while (!over);
  await sending;
  await generator.release();
  return {
    scenario: scenario.name,
    sent: bodies.length,
    p99Us: median(pieces.map(({ p99Us }) => p99Us)),
    maxUs: Math.max(...pieces.map(({ maxUs }) => maxUs)),
    slowest,
  };
}

function slower(one: StallRow['slowest'], other: StallRow['slowest']): StallRow['slowest'] {
  return (other?.ms ?? 0) > (one?.ms ?? 0) ? other : one;
}

function framed(text: string, { inSmallChunks = false }: StallScenario): Buffer {
  if (!inSmallChunks) return Buffer.from(text);
  return Buffer.from(`${Array.from(text, (character) => `1\r\n${character}\r\n`).join('')}0\r\n\r\n`);
}

function head({ path, headers, inSmallChunks = false }: StallScenario, key: string, bytes: Buffer): string {
  const framing = inSmallChunks ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
  return [`POST ${path} HTTP/1.1`, 'Host: bench', `X-API-Key: ${key}`, ...headers, framing, '', ''].join('\r\n');
}

/** Settles when the given part of the answer was read. */
function send(
  port: number,
  requestHead: string,
  body: Buffer,
  fetches: NonNullable<StallScenario['fetches']>,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let hasBegun = false;
    socket.on('error', reject);
    socket.on('close', () => {
      if (fetches === 'all' && hasBegun) resolve(socket);
      else reject(new Error('the gateway closed the connection without an answer'));
    });
    socket.on('data', () => {
      hasBegun = true;
      if (fetches === 'all') return;
      if (fetches === 'no-more') socket.pause();
      else socket.destroy();
      resolve(socket);
    });
    socket.write(requestHead);
    socket.write(body);
  });
}
