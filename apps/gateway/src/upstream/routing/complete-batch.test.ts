/** Elements of a batch that one node leaves open are answered by others (contract/retries#batches). */

import { describe, expect, test } from 'bun:test';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { nodeCaller } from '../../../test/fixtures/node-caller.ts';
import { answered, type Scripted, scriptedNode } from '../../../test/fixtures/scripted-node.ts';
import type { NodeBatch } from '../port/node-port.ts';
import { completeBatch } from './complete-batch.ts';
import { createNodePool } from './node-pool.ts';

const timeoutMs = 30_000;
const questions = ['a', 'b', 'c', 'd'].map((method) => ({ method, params: undefined }));
const limited = '"error":{"code":-32005,"message":"limit exceeded"}';
const missing = '"error":{"code":-32000,"message":"missing trie node"}';
const reverted = '"error":{"code":3,"message":"execution reverted"}';

/** A node's answers to the elements 1, 2, …; undefined: no answer. */
function elements(...members: (string | undefined)[]): Scripted {
  const each = members.flatMap((member, at) =>
    member === undefined ? [] : [`{"jsonrpc":"2.0","id":${at + 1},${member}}`],
  );
  return answered(`[${each.join()}]`);
}

function pool(...scripts: Scripted[][]) {
  const nodes = scripts.map((script, nth) => scriptedNode(`node-${nth}`, ...script));
  const port = createNodePool(
    nodes.map(({ node }) => node),
    { clock: createManualClock(), timeoutMs },
  );
  const send = async (more: Partial<NodeBatch> = {}) => {
    const reply = await port.sendBatch({ questions, repeatable: true, ...more });
    if (!reply.ok || reply.answer.kind !== 'batch') return reply;
    const texts = reply.answer.answers.map((each) =>
      each === undefined || each.kind === 'failed' ? each : each.raw.text(),
    );
    return { texts, attempts: reply.attempts ?? 1 };
  };
  return { send, asked: () => nodes.map(({ asked }) => asked) };
}

const ok = (text: string) => `"result":"${text}"`;

test('a batch in which each element is a limit counts against its node, and one with another answer does not', async () => {
  const ofPlan = '"error":{"code":-32005,"message":"daily request count exceeded, request rate limited"}';
  for (const [last, hasFailedLast] of [
    [ofPlan, true],
    [missing, false],
    [undefined, false],
  ] as const) {
    const members = [ofPlan, ofPlan, ofPlan, last];
    const { node } = scriptedNode('node-0', elements(...members));
    const other = scriptedNode('node-1', elements(...['a', 'b', 'c', 'd'].map(ok)));
    const port = createNodePool([node, other.node], { clock: createManualClock(), timeoutMs });
    const reply = await port.sendBatch({ questions, repeatable: true, caller: nodeCaller });
    expect(reply).toMatchObject({ ok: true, attempts: 2 });
    expect([node.hasFailedLast(), other.node.hasFailedLast()]).toEqual([hasFailedLast, false]);
  }
});

describe('open elements of a batch', () => {
  test('are sent together to the next node; answers, and errors of the call, stay', async () => {
    const { send, asked } = pool([elements(ok('a'), limited, reverted, undefined)], [elements(ok('b'), ok('d'))]);
    expect(await send()).toEqual({
      texts: ['"a"', '"b"', '{"code":3,"message":"execution reverted"}', '"d"'],
      attempts: 2,
    });
    expect(asked()).toEqual([['a,b,c,d'], ['b,d']]);
  });

  test('go to as many nodes as a call, and the last error stays', async () => {
    const { send, asked } = pool(
      [elements(ok('a'), limited, ok('c'), undefined)],
      [elements(missing, ok('d'))],
      [elements(limited)],
      [elements(ok('never'))],
    );
    expect(await send()).toEqual({
      texts: ['"a"', '{"code":-32005,"message":"limit exceeded"}', '"c"', '"d"'],
      attempts: 3,
    });
    expect(asked()).toEqual([['a,b,c,d'], ['b,d'], ['b'], []]);
  });

  test('stay unchanged if the other nodes fail', async () => {
    const { send } = pool([elements(ok('a'), limited, ok('c'), undefined)], ['broken'], [answered('<html>')]);
    expect(await send()).toEqual({
      texts: ['"a"', '{"code":-32005,"message":"limit exceeded"}', '"c"', undefined],
      attempts: 3,
    });
  });

  test('stay unchanged if the batch is not repeatable, has a single node, or its caller has left', async () => {
    const first = [elements(ok('a'), limited, undefined, ok('d'))];
    const error = '{"code":-32005,"message":"limit exceeded"}';
    const texts = ['"a"', error, undefined, '"d"'];
    const second = [elements(ok('b'), ok('c'))];
    expect(await pool(first, second).send({ repeatable: false })).toEqual({ texts, attempts: 1 });
    expect(await pool(first, second).send({ onlyNode: 'node-0' })).toEqual({ texts, attempts: 1 });
    expect(await pool(first).send()).toEqual({ texts, attempts: 1 });
    const gone = { userId: 'alice', request: { signal: AbortSignal.abort() } };
    // The caller has left. Followers of the same call must not receive one node's error as the answer.
    const abandoned = { kind: 'failed', failure: 'abandoned', maybeDelivered: true } as const;
    expect(await pool(first, second).send({ caller: gone })).toEqual({
      texts: ['"a"', abandoned, abandoned, '"d"'],
      attempts: 1,
    });
  });

  test('do not exist in a complete batch, so nothing is sent again', async () => {
    const { send, asked } = pool([elements(ok('a'), reverted, ok('c'), ok('null'))], [elements()]);
    expect(await send()).toMatchObject({ attempts: 1 });
    expect(asked()).toEqual([['a,b,c,d'], []]);
  });
});

test('an answer of several nodes names all of them', async () => {
  const clock = createManualClock();
  const nodes = [elements(ok('a'), limited, ok('c'), undefined), elements(ok('b'), ok('d'))].map((script, nth) =>
    scriptedNode(`node-${nth}`, script),
  );
  const port = createNodePool(
    nodes.map(({ node }) => node),
    { clock, timeoutMs },
  );
  expect(await port.sendBatch({ questions, repeatable: true })).toMatchObject({ sources: ['node-0', 'node-1'] });
});

test('large answers of several nodes are released together', async () => {
  const budget = new ByteBudget({ totalBytes: 10_000, ownerBytes: 10_000 });
  const large = (nodeId: string, open: boolean) => {
    const buffer = new BudgetedBuffer(budget, 'alice');
    buffer.append(Buffer.from('"large"'), 0, 7);
    const element = { kind: 'buffered', parts: [{ source: buffer, start: 0, end: 7 }] } as const;
    const error = { kind: 'error', raw: rangeOf('{"code":-32005,"message":"limit exceeded"}') } as const;
    const answer = {
      kind: 'buffered',
      buffers: [buffer],
      answers: open ? [element, error] : [element],
      release: () => buffer.release(),
    } as const;
    return { ok: true, nodeId, answer } as const;
  };
  const asked: NodeBatch[] = [];
  const batch = { questions: questions.slice(0, 2), repeatable: true };
  const reply = await completeBatch(batch, large('one', true), {
    attempts: 3,
    leftMs: () => 7,
    async ask(rest) {
      asked.push(rest);
      return large('two', false);
    },
  });
  expect(asked).toMatchObject([{ questions: [{ method: 'b' }], timeoutMs: 7, leftOut: new Set(['one']) }]);
  if (!reply.ok || reply.answer.kind !== 'buffered') throw new Error('no large answer');
  expect(reply.answer.answers.map((each) => each?.kind)).toEqual(['buffered', 'buffered']);
  expect(budget.owners).toBe(1);
  reply.answer.release();
  expect([budget.owners, budget.reservedBytes]).toEqual([0, 0]);
});
