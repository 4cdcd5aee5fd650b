/** Nodes that are called over WebSocket: a real gateway, simulated nodes and anvil (contract/networks#websocket). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { type AnvilChain, startAnvil } from '../../apps/gateway/test/fixtures/anvil-chain.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain({ logs: 0 });
const [alone, first, second, httpOnly] = [0, 1, 2, 3].map(() => startSimNode(chain));
if (alone === undefined || first === undefined || second === undefined || httpOnly === undefined)
  throw new Error('none');
const secret = 'providers-key-0123456789abcdef';
let anvil: AnvilChain;
let gateway: RunningGateway;
let key: string;

const network = (networkId: string, ...nodes: readonly object[]) => ({
  // No cache, so that each call reaches a node.
  ...{ dlt: 'test', networkId, chainId: 31337, cache: { maxBytes: 0 } },
  nodes: nodes.map((node, nth) => ({ nodeId: `${networkId}-${nth}`, ...node })),
});

beforeAll(async () => {
  for (let nth = 0; nth < 400; nth++) chain.mine();
  anvil = await startAnvil();
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      health: { intervalSeconds: 3_600 },
      networks: [
        network('alone', { url: `${alone.socketUrl}/v3/${secret}`, headers: { 'X-Node-Key': `header-${secret}` } }),
        network('two', { url: first.socketUrl }, { url: second.httpUrl }),
        network('http-only', { url: httpOnly.httpUrl, wsUrl: `${httpOnly.socketUrl}/v3/${secret}` }),
        network('anvil', { url: anvil.url.replace('http', 'ws') }),
      ],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  for (const node of [alone, first, second, httpOnly]) node.stop();
  await anvil.stop();
});

type Answer = { id?: unknown; result?: unknown; error?: { code: number; message: string } };
const send = (networkId: string, body: object) => gateway.rpc(key, body, `/dlts/test/networks/${networkId}/rpc`);
async function ask(networkId: string, body: object): Promise<{ status: number; answer: Answer }> {
  const response = await send(networkId, body);
  const answer: Answer = JSON.parse(await response.text());
  return { status: response.status, answer };
}
async function askAll(networkId: string, body: readonly object[]): Promise<readonly Answer[]> {
  return JSON.parse(await (await send(networkId, body)).text());
}
const call = (id: unknown, method = 'eth_getBlockByNumber', params: unknown[] = ['0x1', false]) => ({
  ...{ jsonrpc: '2.0', id, method, params },
});

let height = 0;
/** A call that was not made before, so that no answer is cached. */
function next(id: unknown) {
  height++;
  return {
    height: `0x${height.toString(16)}`,
    call: call(id, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false]),
  };
}
const isAnswered = ({ height: number, reply }: { height: string; reply: { answer: Answer } }) =>
  expect(reply.answer.result).toMatchObject({ number });
async function askNew(networkId: string, count: number) {
  const questions = Array.from({ length: count }, (_, id) => next(id));
  return Promise.all(questions.map(async (question) => ({ ...question, reply: await ask(networkId, question.call) })));
}

test('many calls share few connections, and each receives its own answer', async () => {
  const answers = await askNew('alone', 200);
  answers.forEach(isAnswered);
  expect(answers.map(({ reply }) => reply.answer.id)).toEqual(answers.map((_, id) => id));
  expect(alone.asked.length).toBeGreaterThan(200);
  expect(alone.asked.every(({ over }) => over === 'ws')).toBe(true);
  // At most four for each kind of call, and those of probes and of subscriptions.
  expect(alone.connections()).toBeLessThanOrEqual(10);
});

test('a batch, a block and an error are returned as the node sent them', async () => {
  const answer = await askAll('alone', [
    call(1),
    call('two', 'eth_getBalance', ['0x0', '0x1']),
    call(3, 'eth_chainId', []),
  ]);
  expect(answer.map(({ id }) => id)).toEqual([1, 'two', 3]);
  expect(answer[0]?.result).toMatchObject({ number: '0x1', hash: chain.at().byNumber(1)?.hash });
  expect(answer[2]?.result).toBe('0x7a69');
  const { answer: unknown } = await ask('alone', call(4, 'eth_noSuchMethod', []));
  expect(unknown.error).toMatchObject({ code: -32601 });
});

test('reads survive the loss of every connection, and a transaction is sent once', async () => {
  await askNew('two', 1);
  first.fail({ kind: 'dead' }, 'eth_getBlockByNumber', 1);
  (await askNew('two', 40)).forEach(isAnswered);
  first.fail({ kind: 'dead' }, 'eth_getBlockByNumber');
  (await askNew('two', 1)).forEach(isAnswered);
  first.fail({ kind: 'dead' }, 'eth_sendRawTransaction');
  await ask('two', call(2, 'eth_sendRawTransaction', ['0x02f8']));
  expect(first.askedFor('eth_sendRawTransaction').length).toBeLessThan(2);
  first.heal();
  first.kill();
  (await askNew('two', 20)).forEach(isAnswered);
  expect(second.askedFor('eth_getBlockByNumber').length).toBeGreaterThan(0);
});

test.each([
  [{ kind: 'twice' }],
  [{ kind: 'other-id' }],
  [{ kind: 'half' }],
  [{ kind: 'close', code: 1001 }],
  [{ kind: 'rubbish' }],
] as const)('a node with one wrong answer is called again: %j', async (fault) => {
  alone.fail(fault, 'eth_getBlockByNumber', 1);
  (await askNew('alone', 5)).forEach(isAnswered);
});

test('a node with an HTTP URL receives no calls over its WebSocket', async () => {
  (await askNew('http-only', 3)).forEach(isAnswered);
  const asked = httpOnly.askedFor('eth_getBlockByNumber');
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.every(({ over }) => over === 'http')).toBe(true);
});

test('anvil answers over its WebSocket: reads, batches, and its own errors', async () => {
  expect((await ask('anvil', call(1, 'eth_chainId', []))).answer).toMatchObject({ id: 1, result: '0x7a69' });
  const answer = await askAll('anvil', [call(1, 'eth_blockNumber', []), call(2, 'eth_gasPrice', [])]);
  expect(answer.map(({ result }) => typeof result)).toEqual(['string', 'string']);
  const refused = await ask('anvil', call(3, 'eth_getBalance', ['0x0', 'latest']));
  expect(refused.answer.error).toMatchObject({ code: -32602 });
});

test("the provider's key in a WebSocket URL and the handshake headers are in no log line and no answer", async () => {
  alone.fail(
    { kind: 'error', code: -32000, message: `limit of ${secret} exceeded, see ${alone.socketUrl}/v3/${secret}` },
    'eth_gasPrice',
  );
  const { answer } = await ask('alone', call(1, 'eth_gasPrice', []));
  expect(JSON.stringify(answer)).not.toContain(secret);
  alone.heal();
  alone.kill();
  expect((await ask('alone', next(1).call)).status).toBe(502);
  await until('the failure is in the log', () => gateway.output().includes('"node.failed"'));
  expect(gateway.output()).not.toContain(secret);
  alone.revive();
});
