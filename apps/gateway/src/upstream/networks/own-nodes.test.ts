import { expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { NodePort } from '../port/node-port.ts';
import type { NodeStatus } from '../port/node-status.ts';
import { ownNodesOf } from './own-nodes.ts';

const asked: string[] = [];

function node(name: string, status: NodeStatus['status'], answers: boolean) {
  const outcome = async (timeoutMs: number | undefined) => {
    asked.push(`${name} ${timeoutMs}`);
    return answers
      ? ({ ok: true, nodeId: name, answer: { kind: 'error', raw: rangeOf('{}') } } as const)
      : ({ ok: false, failure: 'timeout', maybeDelivered: true } as const);
  };
  const pool: NodePort = {
    send: ({ timeoutMs }) => outcome(timeoutMs),
    sendBatch: ({ timeoutMs }) => outcome(timeoutMs),
  };
  return { pool, status: () => ({ status }) };
}

const call = { method: 'eth_blockNumber', params: undefined, repeatable: true, timeoutMs: 9_000 };

test('nodes are asked one after another, healthy ones first, each with an equal share of the time', async () => {
  const nodes = [node('a', 'unhealthy', true), node('b', 'healthy', false), node('c', 'healthy', true)];
  for (const reply of [
    await ownNodesOf(nodes).send(call),
    await ownNodesOf(nodes).sendBatch({ questions: [call], repeatable: true, timeoutMs: 9_000 }),
  ])
    expect(reply).toMatchObject({ ok: true, nodeId: 'c' });
  expect(asked.splice(0)).toEqual(['b 3000', 'c 3000', 'b 3000', 'c 3000']);
});

test('at most three nodes are asked; without an answer the last failure is returned; without nodes the failure is unreachable', async () => {
  const silent = ['a', 'b', 'c', 'd'].map((name) => node(name, 'pending', false));
  expect(await ownNodesOf(silent).send(call)).toEqual({ ok: false, failure: 'timeout', maybeDelivered: true });
  expect(asked.splice(0)).toHaveLength(3);
  expect(await ownNodesOf([]).send(call)).toEqual({ ok: false, failure: 'unreachable', maybeDelivered: false });
});
