/** A batch that is sent in parts has one answer, regardless of its parts. */

import { expect, test } from 'bun:test';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { BufferedBody } from '@flowgate/bytes/buffered-body';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { withTexts } from '../../../test/fixtures/with-texts.ts';
import type { BatchAnswer, NodeAnswer, NodeBatch, NodeCall, NodeReply } from '../../upstream/port/node-port.ts';
import { createBatchSplitter } from './split-batch.ts';

const caller = { userId: 'alice', request: new AbortController() };
const timeoutMs = 1_000;
const reads = new Set(['a', 'b', 's1', 's2']);

function splitter(ownerBytes = 1 << 20) {
  const clock = createManualClock();
  const budget = new ByteBudget({ totalBytes: 1 << 28, ownerBytes });
  return { clock, budget, split: createBatchSplitter({ clock, budget, timeoutMs, reads }) };
}

const questionsOf = (...methods: string[]) => methods.map((method) => ({ method, params: undefined }));
const batchOf = (...methods: string[]): NodeBatch => ({ questions: questionsOf(...methods), repeatable: true, caller });
const text = (raw: string): NodeAnswer => ({ kind: 'result', raw: rangeOf(raw) });
const said = (answer: NodeAnswer, more = {}): NodeReply<NodeAnswer> => ({ ok: true, nodeId: 'n', answer, ...more });
const isSingle = ({ method }: { method: string }) => method.startsWith('s');

function bufferedText(budget: ByteBudget, content: string): NodeAnswer {
  const buffer = new BudgetedBuffer(budget, 'alice');
  const bytes = Buffer.from(content);
  buffer.append(bytes, 0, bytes.length);
  const parts = [{ source: buffer, start: 0, end: bytes.length }];
  return { kind: 'buffered', buffers: [buffer], parts, release: () => buffer.release() };
}

/** Each element as a text. */
function shown(reply: NodeReply<BatchAnswer>): unknown {
  if (!reply.ok || reply.answer.kind === 'error') return withTexts(reply);
  const { answer } = reply;
  return answer.answers.map((element) => {
    if (element === undefined || element.kind === 'failed') return element?.failure;
    if (element.kind !== 'buffered') return element.raw.text();
    let all = '';
    for (const part of element.parts)
      if (typeof part === 'object' && 'source' in part) all += part.source.text(part.start, part.end);
      else all += part;
    return all;
  });
}

test('a batch without such calls is unchanged', async () => {
  const { split } = splitter();
  const batch = batchOf('a', 'b');
  const seen: NodeBatch[] = [];
  const reply: NodeReply<BatchAnswer> = { ok: true, nodeId: 'n', answer: { kind: 'batch', answers: [] } };
  const rest = (asked: NodeBatch) => {
    seen.push(asked);
    return reply;
  };
  expect(split(batch, { takes: isSingle, single: () => said(text('1')), rest })).toBe(reply);
  expect(seen).toEqual([batch]);
});

test('answers are in the order of their questions, and the rest is repeatable if each of its calls is repeatable', async () => {
  const { split } = splitter();
  const batch = { ...batchOf('a', 's1', 'eth_sendRawTransaction', 's2', 'b'), repeatable: false };
  const asked: unknown[] = [];
  const reply = await split(batch, {
    takes: ({ method }) => isSingle({ method }) || method.includes('send'),
    single: ({ method, repeatable, caller: whose }: NodeCall, nth) => {
      asked.push([method, repeatable, nth, whose?.userId]);
      return said(text(`"${method}"`), { attempts: 2 });
    },
    rest: async ({ questions, repeatable }) => {
      asked.push([questions.map(({ method }) => method).join(), repeatable]);
      const answers = questions.map(({ method }) => ({ kind: 'result' as const, raw: rangeOf(`"${method}"`) }));
      return { ok: true, nodeId: 'rest', answer: { kind: 'batch', answers } };
    },
  });
  expect(shown(reply)).toEqual(['"a"', '"s1"', '"eth_sendRawTransaction"', '"s2"', '"b"']);
  expect(asked).toEqual([
    ['a,b', true],
    ['s1', true, 1, 'alice'],
    ['eth_sendRawTransaction', false, 2, 'alice'],
    ['s2', true, 3, 'alice'],
  ]);
  const nodeIds = ['rest', 'n', 'n', 'n', 'rest'];
  expect(reply).toMatchObject({ nodeId: '', nodeIds, sources: ['rest', 'n'], attempts: 7 });
});

test('large results of several answers are in one reply, and each is released once', async () => {
  const { split, budget } = splitter();
  const reply = await split(batchOf('s1', 'a', 's2', 'b'), {
    takes: isSingle,
    single: ({ method }) => said(method === 's1' ? bufferedText(budget, '"first"') : text('2')),
    rest: async () => {
      const large = bufferedText(budget, '["x","y"]');
      if (large.kind !== 'buffered') throw new Error('not buffered');
      const [buffer] = large.buffers;
      if (buffer === undefined) throw new Error('not buffered');
      const error = { kind: 'error' as const, raw: rangeOf('{"code":1,"message":""}') };
      const answers = [{ kind: 'buffered' as const, parts: [{ source: buffer, start: 1, end: 4 }] }, error];
      return { ok: true, nodeId: 'rest', answer: { ...large, answers } };
    },
  });
  expect(shown(reply)).toEqual(['"first"', '"x"', '2', '{"code":1,"message":""}']);
  expect(budget.reservedBytes).toBe(16);
  if (!reply.ok || reply.answer.kind !== 'buffered') throw new Error('not buffered');
  const body = new BufferedBody(reply.answer.buffers, ['[']);
  while (body.next() !== undefined);
  expect(budget.reservedBytes).toBe(0);
  reply.answer.release();
  expect(budget.reservedBytes).toBe(0);
});

test('a failed part fails on its own; when all parts fail, the batch fails, and it was maybe delivered if any part was', async () => {
  const { split, budget } = splitter();
  const failed = (failure: 'timeout' | 'unreachable', maybeDelivered: boolean) =>
    ({ ok: false, failure, maybeDelivered, attempts: 1 }) as const;
  const some = await split(batchOf('s1', 'a', 's2'), {
    takes: isSingle,
    single: ({ method }) => (method === 's1' ? failed('timeout', true) : said(bufferedText(budget, '1'))),
    rest: () => failed('unreachable', false),
  });
  expect(shown(some)).toEqual(['timeout', 'unreachable', '1']);
  if (some.ok && some.answer.kind === 'buffered') some.answer.release();
  expect(budget.reservedBytes).toBe(0);
  const none = await split(batchOf('s1', 'a', 's2'), {
    takes: isSingle,
    single: () => failed('timeout', true),
    rest: () => failed('unreachable', false),
  });
  expect(none).toEqual({ ok: false, failure: 'unreachable', maybeDelivered: true, attempts: 3 });
});

test('texts of more than 64 KiB together are charged to the caller, and fail without memory for them', async () => {
  const { split, budget } = splitter(150_000);
  const long = `"${'x'.repeat(59_998)}"`;
  const reply = await split(batchOf('s1', 's2', 's3', 's4'), {
    takes: isSingle,
    single: () => said(text(long)),
    rest: () => failedRest,
  });
  expect(shown(reply)).toEqual([long, long, long, 'owner-full']);
  expect(budget.reservedBytes).toBe(120_000);
  if (reply.ok && reply.answer.kind === 'buffered') reply.answer.release();
  expect(budget.reservedBytes).toBe(0);
});

test('a long error of the rest is not repeated for each of its questions', async () => {
  const { split } = splitter();
  const error = { kind: 'error' as const, raw: rangeOf(`{"code":1,"message":"${'x'.repeat(40_000)}"}`) };
  const reply = await split(batchOf('s1', 'a', 'b'), {
    takes: isSingle,
    single: () => said(text('1')),
    rest: () => ({ ok: true, nodeId: 'n', answer: error }),
  });
  expect(shown(reply)).toEqual(['1', 'refused', 'refused']);
});

test('sixteen calls are in flight at a time, within the time of the whole batch, and none is sent after the caller has disconnected', async () => {
  const { split, clock } = splitter();
  const methods = Array.from({ length: 40 }, (_, nth) => `s${nth}`);
  let inFlight = 0;
  let max = 0;
  let asked = 0;
  const times = new Set<number | undefined>();
  const run = async (isCallerGone: boolean) => {
    const controller = new AbortController();
    const whose = { userId: 'alice', request: controller };
    return split(
      { ...batchOf(...methods), caller: whose },
      {
        takes: isSingle,
        async single({ timeoutMs: leftMs }) {
          times.add(leftMs);
          inFlight++;
          max = Math.max(max, inFlight);
          await undefined;
          asked++;
          if (asked % 10 === 0) {
            clock.advance(400);
            if (isCallerGone) controller.abort();
          }
          inFlight--;
          return said(text('1'));
        },
        rest: () => failedRest,
      },
    );
  };
  const late = await run(false);
  expect(max).toBe(16);
  expect([...times][0]).toBeUndefined();
  for (const leftMs of [...times].slice(1)) expect(leftMs).toBeLessThan(timeoutMs);
  expect((shown(late) as unknown[]).filter((each) => each === 'timeout').length).toBeGreaterThan(0);
  expect((shown(await run(true)) as unknown[]).filter((each) => each === 'abandoned')).not.toBeEmpty();
});

const failedRest = { ok: false, failure: 'unusable', maybeDelivered: false } as const;
