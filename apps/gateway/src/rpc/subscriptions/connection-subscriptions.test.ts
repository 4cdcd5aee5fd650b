/**
 * The subscriptions of a connection: the id is sent before notifications, nothing is sent after the end, and their
 * number is bounded (contract/websocket#subscriptions).
 */

import { expect, test } from 'bun:test';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { type ByteContent, bytesOf } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evmReads } from '@flowgate/chain/families/evm-reads';
import type { CallTerms, NodeBatch, NodeCaller, NodeReply } from '../../upstream/port/node-port.ts';
import { createBatchSplitter } from '../engine/split-batch.ts';
import type { RpcTarget } from '../target.ts';
import { ConnectionSubscriptions, maxSubscriptions } from './connection-subscriptions.ts';
import { subscribingTarget } from './subscribing-target.ts';
import type { Subscriber, Subscriptions } from './subscriptions.ts';

const request = { signal: new AbortController().signal };
const asker = (): NodeCaller => ({ userId: 'alice', request });

/** A connection with subscriptions that record the calls they receive. */
function connection(refusing = false) {
  const events: string[] = [];
  const subscribers: Subscriber[] = [];
  const sent: string[] = [];
  let gate: Promise<void> = Promise.resolve();
  const subscriptions: Pick<Subscriptions, 'subscribe'> = {
    async subscribe(_target, params, _caller, subscriber) {
      await gate;
      if (refusing) return { ok: false, code: -32602, message: 'No.' };
      const id = `0x${subscribers.push(subscriber)}`;
      events.push(`subscribed ${id} ${params?.text()}`);
      return {
        ok: true,
        id,
        begin: () => void events.push(`begun ${id}`),
        cancel: () => void events.push(`cancelled ${id}`),
      };
    },
  };
  const own = new ConnectionSubscriptions(subscriptions, {
    caller: asker(),
    notify: (content: ByteContent) => void sent.push(Buffer.from(bytesOf(content)).toString()),
    lost: () => void events.push('lost'),
    isPermitted: ({ place }) => place.network === 'ethereum/dev',
  });
  const forwarded: string[] = [];
  const target: RpcTarget = {
    policy: (method) => (/subscribe$/.test(method) ? 'subscription' : 'forward'),
    reads: evmReads,
    hideSecrets: (text) => text,
    place: { network: 'ethereum/dev', nodes: () => [], hasContracts: true },
    port: {
      send: ({ method }) => {
        forwarded.push(method);
        return { ok: true, nodeId: 'a', answer: { kind: 'result', raw: rangeOf('"node"') } };
      },
      sendBatch: async ({ questions }) => {
        forwarded.push(questions.map(({ method }) => method).join());
        return {
          ok: true,
          nodeId: 'a',
          answer: { kind: 'batch', answers: questions.map(() => ({ kind: 'result', raw: rangeOf('"node"') })) },
        };
      },
    },
  };
  const budget = new ByteBudget({ totalBytes: 1_000_000, ownerBytes: 1_000_000 });
  const split = createBatchSplitter({ clock: { monotonic: () => 0 }, budget, timeoutMs: 1_000, reads: evmReads });
  const { port, policy } = subscribingTarget(target, own, split);
  const ask = async (caller: NodeCaller, method: string, params?: string) =>
    textOf(
      await port.send({
        method,
        params: params === undefined ? undefined : rangeOf(params),
        repeatable: false,
        caller,
      }),
    );
  return {
    ...{ own, ask, port, policy, events, sent, forwarded, subscribers },
    hold() {
      const closed = Promise.withResolvers<void>();
      gate = closed.promise;
      return closed.resolve;
    },
  };
}

function textOf(reply: NodeReply<{ readonly kind: string; readonly raw?: { text(): string } }>): string {
  return reply.ok ? `${reply.answer.kind} ${reply.answer.raw?.text()}` : reply.failure;
}

test('a subscription begins only after its id was sent, and its notifications carry that id', async () => {
  const { ask, own, events, sent, subscribers } = connection();
  const message = asker();
  expect(await ask(message, 'eth_subscribe', '["newHeads"]')).toBe('result "0x1"');
  expect(events).toEqual(['subscribed 0x1 ["newHeads"]']);
  own.reported(asker());
  expect(events.length).toBe(1);
  own.reported(message);
  own.reported(message);
  expect(events.slice(1)).toEqual(['begun 0x1']);
  subscribers[0]?.notify(Buffer.from('{"number":"0x1"}'));
  expect(sent).toEqual([
    '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":{"number":"0x1"}}}',
  ]);
});

test('unsubscribing ends a subscription once; unknown ids and invalid parameters are refused', async () => {
  const { ask, own, events } = connection();
  const message = asker();
  await ask(message, 'eth_subscribe');
  own.reported(message);
  expect(await ask(message, 'eth_unsubscribe', '["0x1"]')).toBe('result true');
  const unknown = 'error {"code":-32000,"message":"subscription not found"}';
  expect(await ask(message, 'eth_unsubscribe', '["0x1"]')).toBe(unknown);
  expect(await ask(message, 'eth_unsubscribe', '["\\u0030x9"]')).toBe(unknown);
  for (const params of [undefined, '[]', '{}', '[1]', '["0x1","0x1"]', `["${'x'.repeat(300)}"]`, '[["0x1"]]'])
    expect(await ask(message, 'eth_unsubscribe', params)).toStartWith('error {"code":-32602,');
  expect(events.filter((event) => event === 'cancelled 0x1').length).toBe(1);
});

test('a subscription that ends before its id was sent never begins', async () => {
  const { ask, own, events } = connection();
  const message = asker();
  await ask(message, 'eth_subscribe');
  await ask(asker(), 'eth_unsubscribe', '["0x1"]');
  own.reported(message);
  expect(events).toEqual(['subscribed 0x1 undefined', 'cancelled 0x1']);
});

test('a connection has at most a hundred subscriptions, pending ones included, and an ended one frees its slot (contract/bounds#waiting: subscriptions of a WebSocket)', async () => {
  const { ask, hold, events } = connection();
  const release = hold();
  const asked = Array.from({ length: maxSubscriptions + 5 }, () => ask(asker(), 'eth_subscribe'));
  release();
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => answer.startsWith('result')).length).toBe(maxSubscriptions);
  expect(answers.at(-1)).toStartWith('error {"code":-32005,');
  expect(events.length).toBe(maxSubscriptions);
  await ask(asker(), 'eth_unsubscribe', '["0x7"]');
  expect(await ask(asker(), 'eth_subscribe')).toStartWith('result');
  expect(await ask(asker(), 'eth_subscribe')).toStartWith('error');
});

test('a refusal reaches the caller and takes no slot', async () => {
  const { ask } = connection(true);
  for (let at = 0; at < 2 * maxSubscriptions; at++)
    expect(await ask(asker(), 'eth_subscribe', '["what"]')).toBe('error {"code":-32602,"message":"No."}');
});

test('a subscription that fails with an exception takes no slot', async () => {
  let calls = 0;
  const failing = new ConnectionSubscriptions(
    {
      subscribe: async () => {
        calls += 1;
        throw new Error('the feed failed');
      },
    },
    { caller: asker(), notify: () => {}, lost: () => {}, isPermitted: () => true },
  );
  const target: RpcTarget = {
    policy: () => 'subscription',
    reads: evmReads,
    hideSecrets: (text) => text,
    place: { network: 'ethereum/dev', nodes: () => [], hasContracts: true },
    port: {
      send: () => Promise.reject(new Error('not used')),
      sendBatch: () => Promise.reject(new Error('not used')),
    },
  };
  for (let at = 0; at <= maxSubscriptions; at++)
    await expect(failing.subscribe(target, undefined, asker())).rejects.toThrow('the feed failed');
  expect(calls).toBe(maxSubscriptions + 1);
});

test('all subscriptions end with the connection, pending ones included', async () => {
  const { ask, own, events, hold } = connection();
  await ask(asker(), 'eth_subscribe');
  const release = hold();
  const late = ask(asker(), 'eth_subscribe');
  own.close();
  release();
  expect(await late).toStartWith('error');
  expect(events.slice(1)).toEqual(['cancelled 0x1', 'subscribed 0x2 undefined', 'cancelled 0x2']);
});

test('the gateway answers eth_subscribe and eth_unsubscribe, in a batch too; the answers have the order of the calls', async () => {
  const { port, policy, forwarded, own, events } = connection();
  const methods = ['eth_subscribe', 'eth_unsubscribe', 'eth_call', 'parity_subscribe', 'ETH_subscribe'];
  expect(methods.map(policy)).toEqual(['forward', 'forward', 'forward', 'blocked', 'blocked']);
  const caller = asker();
  const terms: CallTerms = { repeatable: false, caller };
  const questions = [
    { method: 'eth_call', params: undefined },
    { method: 'eth_subscribe', params: undefined },
    { method: 'eth_unsubscribe', params: rangeOf('["0x1"]') },
    { method: 'eth_chainId', params: undefined },
    { method: 'eth_subscribe', params: undefined },
  ];
  const batch: NodeBatch = { ...terms, questions };
  const reply = await port.sendBatch(batch);
  const answers = reply.ok && reply.answer.kind === 'batch' ? reply.answer.answers : [];
  expect(answers.map((answer) => (answer !== undefined && 'raw' in answer ? answer.raw.text() : undefined))).toEqual([
    '"node"',
    '"0x1"',
    'true',
    '"node"',
    '"0x2"',
  ]);
  expect(forwarded).toEqual(['eth_call,eth_chainId']);
  own.reported(caller);
  expect(events.filter((event) => event.startsWith('begun'))).toEqual(['begun 0x2']);
  expect(textOf(await port.send({ ...terms, method: 'eth_call', params: undefined }))).toBe('result "node"');
});

test('the connection is notified of a lost subscription and checks the permission of its caller', async () => {
  const { ask, subscribers, events } = connection();
  await ask(asker(), 'eth_subscribe');
  expect(subscribers[0]?.isPermitted?.()).toBe(true);
  subscribers[0]?.lost();
  expect(events.at(-1)).toBe('lost');
});
