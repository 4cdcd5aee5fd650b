import { expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evmChain, evmChainQuestion, evmHeadQuestion } from '../../../test/fixtures/chain-questions.ts';
import { withTexts } from '../../../test/fixtures/with-texts.ts';
import { createNodeIds } from '../port/node-request.ts';
import type { NodeTransport } from '../port/node-transport.ts';
import { openHttpNode } from './http-node.ts';

const call = { method: 'eth_call', params: rangeOf('[ 1.0 ]'), repeatable: true };
const proof = '{"jsonrpc":"2.0","id":0,"result":"0x1"}';
const budget = new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 10_000_000 });

/** A node at a real server that answers calls with `answer`, and the request for its chain. */
function nodeAnswering(
  answer: (body: string, request: Request) => Response,
  chain = proof,
  head = () => new Response('{"jsonrpc":"2.0","id":0,"result":"0x1f"}'),
) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text();
      return body === evmHeadQuestion
        ? head()
        : body === evmChainQuestion
          ? new Response(chain)
          : answer(body, request);
    },
  });
  const node = openHttpNode({
    nodeId: 'dev-1',
    chain: evmChain(1),
    url: server.url.href,
    headers: { 'X-Key': 'k' },
    timeoutMs: 5_000,
    timerWheel: createTimerWheel(systemClock),
    clock: systemClock,
    slices: createTimeSlices(systemClock),
    turns: new TurnBudget(systemClock),
    answerBudget: budget,
    takeIds: createNodeIds(),
  });
  return {
    node,
    async [Symbol.asyncDispose]() {
      node.close();
      await server.stop(true);
    },
  };
}

test('a node receives the message as JSON with the operator’s headers, under an id of the gateway', async () => {
  const seen: unknown[] = [];
  await using opened = nodeAnswering((body, { headers }) => {
    seen.push(body, headers.get('content-type'), headers.get('x-key'));
    return new Response('{"id":1,"result":{"a": 1e2}}');
  });
  const target: NodeTransport = opened.node;
  expect(target.nodeId).toBe('dev-1');
  expect(withTexts(await target.send(call))).toMatchObject({
    ok: true,
    nodeId: 'dev-1',
    answer: { raw: '{"a": 1e2}' },
  });
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[ 1.0 ]}';
  expect(seen).toEqual([body, 'application/json', 'k']);
  expect(opened.node.stats()).toEqual({ open: 1, idle: 1, waiting: 0 });
  opened.node.close();
  expect(await target.send(call)).toMatchObject({ ok: false, fault: 'broken', maybeDelivered: false });
});

test('a status about the node returns its Retry-After and the JSON-RPC error of the response', async () => {
  const error = '{"code":-32005,"message":"limit exceeded"}';
  const headers = { 'Retry-After': '7' };
  await using opened = nodeAnswering(() => new Response(`{"id":1,"error":${error}}`, { status: 429, headers }));
  expect(withTexts(await opened.node.send(call))).toEqual({
    ok: false,
    fault: 'refused',
    failure: 'refused',
    maybeDelivered: true,
    detail: 'HTTP 429',
    retryAfterMs: 7_000,
    refusal: { kind: 'error', raw: error },
  });
});

test('a probe proves the chain on a connection of its own, or reports the chain that it found', async () => {
  await using right = nodeAnswering(() => new Response());
  expect(await right.node.probe()).toMatchObject({ ok: true, blockHeight: 31 });
  for (const bad of ['"31"', '31', '"0x"', `"0x${'f'.repeat(14)}"`, 'null']) {
    const head = () => new Response(`{"jsonrpc":"2.0","id":0,"result":${bad}}`);
    await using headless = nodeAnswering(() => new Response(), proof, head);
    expect([bad, await headless.node.probe()]).toMatchObject([bad, { ok: true, blockHeight: undefined }]);
  }
  await using other = nodeAnswering(() => new Response(), proof.replace('0x1', '0x8'));
  expect(await other.node.probe()).toMatchObject({ fault: 'wrong-chain', foundChain: '8' });
  expect(await other.node.send(call)).toMatchObject({ fault: 'wrong-chain', foundChain: '8', maybeDelivered: false });
  await using none = nodeAnswering(() => new Response(), '<html>');
  expect(await none.node.probe()).toMatchObject({
    fault: 'unusable',
    detail: 'answered eth_chainId with no valid JSON-RPC result',
  });
});

test('the bytes of a large answer are released after each outcome', async () => {
  const caller = { userId: 'alice', request: new AbortController() };
  const large = `"${'x'.repeat(100_000)}"`;
  const error = '{"code":-1,"message":"no"}';
  const padding = ' '.repeat(100_000);
  const questions = [call];
  for (const [text, single, batch] of [
    [`{"id":1,"error":${error}}${padding}`, 'error', 'unusable'],
    [`{"id":2,"result":${large}}`, 'unusable', 'unusable'],
    [`{"id":1,"result":${large}`, 'unusable', 'unusable'],
    [`{"error":${error}}${padding}`, 'unusable', 'error'],
    [`[{"id":7,"result":${large}}]`, 'unusable', 'unusable'],
    [`[]${padding}`, 'unusable', 'unusable'],
    [`{"id":1,"result":${large}}`, 'buffered', 'unusable'],
    [`[{"id":1,"result":${large}}]`, 'unusable', 'buffered'],
  ] as const) {
    for (const [kind, expected] of [
      ['single', single],
      ['batch', batch],
    ] as const) {
      await using opened = nodeAnswering(() => new Response(text));
      const { node } = opened;
      const reply = await (kind === 'single'
        ? node.send({ ...call, caller })
        : node.sendBatch({ questions, repeatable: true, caller }));
      const found = reply.ok ? reply.answer.kind : reply.fault;
      expect({ text: text.slice(0, 30), kind, found }).toEqual({ text: text.slice(0, 30), kind, found: expected });
      expect(budget.reservedBytes > 0).toBe(expected === 'buffered');
      if (reply.ok && reply.answer.kind === 'buffered') reply.answer.release();
      expect(budget.reservedBytes).toBe(0);
    }
  }
});
