import { expect, test } from 'bun:test';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { TextContent } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evmReads } from '@flowgate/chain/families/evm-reads';
import type { BatchAnswer, NodeAnswer } from '../upstream/port/node-port.ts';
import { CallGuard } from './call-guard.ts';
import { decodeBody } from './message.ts';
import { blockedAs, nodeFailed } from './reply.ts';
import { serveBody } from './serve-body.ts';
import type { RpcTarget } from './target.ts';

const budget = new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 10_000_000 });
const read = '"jsonrpc":"2.0","id":"r","method":"eth_call"';
const write = '"jsonrpc":"2.0","id":"w","method":"eth_sendRawTransaction"';

/** The outcome of a body when the node gives this answer to a call or batch. Undefined: the node gives no answer. */
async function served(body: string, single: NodeAnswer | undefined, batch: BatchAnswer | undefined) {
  const failed = { ok: false, failure: 'unusable', maybeDelivered: true } as const;
  const target: RpcTarget = {
    policy: () => 'forward',
    reads: evmReads,
    hideSecrets: (text) => text,
    place: { network: 'ethereum/dev', nodes: () => [], hasContracts: true },
    port: {
      send: async () => (single === undefined ? failed : { ok: true, nodeId: 'node', answer: single }),
      sendBatch: async () => (batch === undefined ? failed : { ok: true, nodeId: 'node', answer: batch }),
    },
  };
  const decoded = decodeBody(Buffer.from(body), 100);
  if (decoded.kind !== 'single' && decoded.kind !== 'batch') throw new Error('no body');
  const caller = { userId: 'alice', request: { signal: new AbortController().signal } };
  return serveBody(
    decoded,
    target,
    (reason) => new TextContent(reason),
    caller,
    (reported) => reported,
  );
}

function bufferOf(text: string): BudgetedBuffer {
  const buffer = new BudgetedBuffer(budget, 'alice');
  const bytes = Buffer.from(text);
  buffer.append(bytes, 0, bytes.length);
  return buffer;
}

test('an answer reports whether a part of the request must not be repeated', async () => {
  const one: NodeAnswer = { kind: 'result', raw: rangeOf('1') };
  const answers = (count: number): BatchAnswer => ({ kind: 'batch', answers: Array(count).fill(one) });
  expect(await served(`{${read}}`, one, undefined)).toMatchObject({ kind: 'answer', isOnce: false });
  expect(await served(`{${write}}`, one, undefined)).toMatchObject({ kind: 'answer', isOnce: true });
  const reads = await served(`[{${read}},{${read}}]`, undefined, answers(2));
  expect(reads).toMatchObject({ kind: 'answer', isOnce: false });
  const both = await served(`[{${read}},{${write}}]`, undefined, answers(2));
  expect(both).toMatchObject({ kind: 'answer', isOnce: true });
});

test('a large answer is sent from its buffer, and the rest of the buffer is released', async () => {
  const notification = '{"jsonrpc":"2.0","method":"eth_call"}';
  const result = 'result';
  const error = { kind: 'error', raw: rangeOf('{"code":-1,"message":"no"}') } as const;
  for (const [body, answers, kind] of [
    [`{${read}}`, [result], 'large'],
    [notification, [result], 'silent'],
    [`[{${read}}]`, [result], 'large'],
    [`[${notification}]`, [result], 'silent'],
    [`[{${read}}]`, [error], 'answer'],
    [`[{${read}},{${read}}]`, [undefined, undefined], 'answer'],
  ] as const) {
    const buffer = bufferOf(`[${'x'.repeat(100_000)}]`);
    const parts = [{ source: buffer, start: 1, end: 100_001 }];
    const common = { kind: 'buffered', buffers: [buffer], release: () => buffer.release() } as const;
    const elements = answers.map((answer) => (answer === result ? { kind: 'buffered' as const, parts } : answer));
    const reply = await served(body, { ...common, parts }, { ...common, answers: elements });
    expect({ body, kind: reply.kind }).toEqual({ body, kind });
    if (reply.kind !== 'large') {
      expect(budget.reservedBytes).toBe(0);
      continue;
    }
    expect(budget.reservedBytes).toBeGreaterThan(0);
    let text = '';
    for (let piece = reply.body.next(); piece !== undefined; piece = reply.body.next()) text += Buffer.from(piece);
    const answer = `{"jsonrpc":"2.0","id":"r","result":${'x'.repeat(100_000)}}`;
    expect(text).toBe(body.startsWith('[') ? `[${answer}]` : answer);
    expect(budget.reservedBytes).toBe(0);
  }
});

test.each([
  ['of many names', (id: number) => `eth_${'a'.repeat(id)}`, 4, 30],
  ['of two names that alternate', (id: number) => `eth_${id % 2}`, 100, 1],
])(
  'a batch %s that policies evaluate yields after every two new names (docs/decisions/0078)',
  async (_what, methodOf, maxInTurn, minTurns) => {
    let turns = 0;
    const evaluatedInTurn = new Map<number, number>();
    const place = { network: 'ethereum/dev', nodes: () => [], hasContracts: false };
    const rules = {
      allows() {
        evaluatedInTurn.set(turns, (evaluatedInTurn.get(turns) ?? 0) + 1);
        return false;
      },
      isNamed: () => false,
      concerns: () => false,
    };
    const target: RpcTarget = {
      policy: () => 'forward',
      reads: evmReads,
      hideSecrets: (text) => text,
      place,
      port: { send: () => Promise.reject(new Error()), sendBatch: () => Promise.reject(new Error()) },
    };
    const messages = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: methodOf(id) }));
    const decoded = decodeBody(Buffer.from(JSON.stringify(messages)), 100);
    if (decoded.kind !== 'batch') throw new Error('no batch');
    const caller = { userId: 'alice', request: { signal: new AbortController().signal } };
    const guard = new CallGuard(rules, place, () => undefined);
    let isDone = false;
    const reply = Promise.resolve(
      serveBody(
        decoded,
        target,
        (reason) => new TextContent(reason),
        caller,
        (reported) => reported,
        guard,
      ),
    ).finally(() => {
      isDone = true;
    });
    for (; !isDone; turns++) await new Promise(setImmediate);
    expect((await reply).kind).toBe('answer');
    const evaluated = [...evaluatedInTurn.values()];
    expect(evaluated.reduce((sum, count) => sum + count)).toBe(100);
    expect(Math.max(...evaluated)).toBeLessThanOrEqual(maxInTurn);
    expect(evaluated.length).toBeGreaterThanOrEqual(minTurns);
  },
);

test('when no node answers, the error says how many nodes were called (contract/retries#failures)', () => {
  const failed = { ok: false, failure: 'timeout', maybeDelivered: true } as const;
  const reported = (attempts: number | undefined) => nodeFailed({ ...failed, attempts }, true);
  expect(reported(3)).toMatchObject({
    reason: 'bad-gateway',
    detail: 'The node did not answer in time. Nodes asked: 3.',
  });
  expect(reported(undefined)).toMatchObject({ reason: 'bad-gateway', detail: 'The node did not answer in time.' });
  expect(nodeFailed({ ...failed, attempts: 1 }, false)).toMatchObject({
    detail: expect.stringContaining('by its hash'),
  });
  expect(nodeFailed({ ok: false, failure: 'cordoned', maybeDelivered: false, attempts: 0 }, true)).toMatchObject({
    reason: 'unavailable',
  });
});

test('an error repeats at most 256 bytes of a method and cuts no character (contract/json-rpc#errors, contract/bounds#sizes: a method in an error)', () => {
  const shown = (method: string) => JSON.parse(blockedAs('blocked', method).data).method;
  expect(shown('é'.repeat(128))).toBe('é'.repeat(128));
  expect(shown('é'.repeat(129))).toBe('é'.repeat(128));
  expect(shown(`x${'é'.repeat(1_000)}`)).toBe(`x${'é'.repeat(127)}`);
  expect(shown(`xy${'😀'.repeat(1_000)}`)).toBe(`xy${'😀'.repeat(63)}`);
});
