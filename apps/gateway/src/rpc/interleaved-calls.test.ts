/**
 * Concurrent calls get the same answers as single calls, for every interleaving at every `await`: no call depends on
 * module state that another call has left.
 */

import { expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { systemClock } from '@flowgate/base/clock';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { bytesOf, TextContent } from '@flowgate/bytes/byte-content';
import { type ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import { ByteWriter } from '@flowgate/bytes/byte-writer';
import { evm } from '@flowgate/chain/families/evm';
import type { CallPort, NodeCall } from '../upstream/port/node-port.ts';
import { createNodeIds, writeBatch, writeRequest } from '../upstream/port/node-request.ts';
import { readBatchAnswer, readSingleAnswer } from '../upstream/response/node-answer.ts';
import { decodeLargeBody } from './decode-large-body.ts';
import { AnswerCache } from './engine/cache/answer-cache.ts';
import { createCachedPort } from './engine/cache/cached-port.ts';
import { decodeBody } from './message.ts';
import { createMethodPolicy } from './method-policy.ts';
import { serveBody } from './serve-body.ts';
import type { RpcTarget } from './target.ts';

/** The number of microtasks between two steps of a node. */
const nodeTurns = 3;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await null;
}

type Asked = { readonly id: number; readonly method: string; readonly params?: unknown };

/** An answer that repeats the call; every second answer has unusual spacing. */
function answerTo({ id, method, params }: Asked): string {
  if (method === 'eth_call')
    return `{"jsonrpc":"2.0","id":${id},"error":{"code":3,"message":"no ${JSON.stringify(params).length}"}}`;
  const result = JSON.stringify([method, params]);
  return method.length % 2 === 0
    ? `{"jsonrpc":"2.0","id":${id},"result":${result}}`
    : `{ "result": ${result}, "id": ${id}, "jsonrpc": "2.0" }`;
}

function nodePort(): CallPort {
  const takeIds = createNodeIds();
  const exchange = async (write: (writer: ByteWriter) => void): Promise<ByteRange> => {
    const writer = new ByteWriter(65_536);
    write(writer);
    await turns(nodeTurns);
    const text = Buffer.from(writer.bytes.subarray(0, writer.at)).toString();
    const asked: Asked | readonly Asked[] = JSON.parse(text);
    await turns(nodeTurns);
    return rangeOf(Array.isArray(asked) ? `[${asked.map(answerTo).toReversed()}]` : answerTo(JSON.parse(text)));
  };
  return {
    async send(call) {
      const id = takeIds(1);
      const content = await exchange((writer) => writeRequest(writer, call, id));
      await turns(1);
      const answer = readSingleAnswer(content, id);
      return answer === undefined
        ? { ok: false, failure: 'unusable', maybeDelivered: true }
        : { ok: true, nodeId: 'a', answer };
    },
    async sendBatch({ questions }) {
      const firstId = takeIds(questions.length);
      const content = await exchange((writer) => writeBatch(writer, questions, firstId));
      await turns(1);
      const answer = readBatchAnswer(content, firstId, questions.length);
      return answer === undefined
        ? { ok: false, failure: 'unusable', maybeDelivered: true }
        : { ok: true, nodeId: 'a', answer };
    },
  };
}

/** Runs a call. All calls share the target, its cache and its node. */
function createPipeline(): (body: string) => Promise<string> {
  const cache = new AnswerCache({
    family: evm,
    heads: undefined,
    clock: systemClock,
    nodeIds: ['a'],
    maxBytes: 1 << 20,
    budget: new ByteBudget({ totalBytes: 1 << 26, ownerBytes: 1 << 24 }),
    counts: { hits: { value: 0 }, misses: { value: 0 }, coalesced: { value: 0 } },
    seed: 7,
    timeoutMs: 30_000,
  });
  const target: RpcTarget = {
    policy: createMethodPolicy(evm.methods, []),
    reads: evm.reads,
    hideSecrets: (text) => text,
    place: { network: 'ethereum/dev', nodes: () => [], hasContracts: true },
    port: createCachedPort(nodePort(), cache),
  };
  const slices = createTimeSlices(systemClock);
  return async (text) => {
    const bytes = Buffer.from(text);
    await turns(1);
    const isLarge = text.length > 600;
    const body = isLarge ? await decodeLargeBody(bytes, 100, true, slices) : decodeBody(bytes, 100, true);
    if (body.kind === 'unparsable' || body.kind === 'too-many') return body.kind;
    await turns(1);
    const caller: NonNullable<NodeCall['caller']> = {
      userId: 'alice',
      request: { signal: new AbortController().signal },
    };
    const refusal = (reason: string) => new TextContent(reason);
    return serveBody(body, target, refusal, caller, (reply) =>
      reply.kind === 'answer' ? Buffer.from(bytesOf(reply.body)).toString() : JSON.stringify(reply),
    );
  };
}

const address = (nth: number) => `0x${nth.toString(16).padStart(40, 'A')}`;
const element = (id: number, method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method, params });

const bodies: readonly string[] = [
  element(1, 'eth_getBalance', [address(1), 'latest']),
  `{"params":[{"to":"${address(2)}","data":"0x70a08231"},"latest"],"id":"two","method":"eth_call","jsonrpc":"2.0"}`,
  `[${[11, 12, 13].map((id) => element(id, 'eth_getCode', [address(id), { blockHash: `0x${'b'.repeat(64)}` }]))}]`,
  `[${element(21, 'admin_peers', [])},{"id":22,"id":22,"method":"eth_chainId","jsonrpc":"2.0"},${element(23, 'eth_gasPrice', [])},7]`,
  `{"method":"getinfo${'o'.repeat(5)}","id":4,"params":[]}`,
  `[${Array.from({ length: 20 }, (_, nth) => element(100 + nth, nth % 2 === 0 ? 'eth_getStorageAt' : 'eth_call', [address(nth), '0x0', 'latest']))}]`,
  '{"jsonrpc":"2.0","id":6,"method":"eth_getLogs","params":[{"toBlock":"latest","fromBlock":"0x1"}]} x',
];

type Run = (body: string) => Promise<string>;

/** The maximum number of microtasks that a single call needs for its answer. */
const longest = 48;

/**
 * Returns the bodies whose outcome differs when another body begins after each number of microtasks. `run` is created
 * again for each pair.
 */
async function mixedUp(createRun: () => Run): Promise<readonly string[]> {
  const alone = new Map<string, string>();
  for (const body of bodies) alone.set(body, await createRun()(body));
  const mixed = new Set<string>();
  for (const first of bodies)
    for (const second of bodies)
      for (let offset = 0; offset <= longest; offset++) {
        const run = createRun();
        const late = turns(offset).then(() => run(second));
        const [one, other] = await Promise.all([run(first), late]);
        if (one !== alone.get(first)) mixed.add(first);
        if (other !== alone.get(second)) mixed.add(second);
      }
  return [...mixed];
}

test('two calls that interleave at any await get the same answers as alone', async () => {
  expect(await mixedUp(createPipeline)).toEqual([]);
});

test('all calls at once get the same answers as alone', async () => {
  const alone = await Promise.all(bodies.map((body) => createPipeline()(body)));
  const run = createPipeline();
  const runs = Array.from({ length: 20 }, (_, nth) =>
    Promise.all(bodies.map((body, place) => turns((nth * (place + 3)) % longest).then(() => run(body)))),
  );
  for (const outcomes of await Promise.all(runs)) expect(outcomes).toEqual(alone);
  expect(alone.filter((outcome) => outcome.includes('"result"')).length).toBeGreaterThan(2);
});

test('the method of these tests finds a variable that calls share across one await', async () => {
  let body = '';
  const createRun = (): Run => {
    const run = createPipeline();
    return async (text) => {
      body = text;
      await turns(1);
      return run(body);
    };
  };
  expect((await mixedUp(createRun)).length).toBeGreaterThan(1);
});
