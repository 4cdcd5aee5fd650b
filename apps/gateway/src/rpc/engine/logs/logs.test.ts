import { expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { BufferedBody } from '@flowgate/bytes/buffered-body';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evm } from '@flowgate/chain/families/evm';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { createManualTime } from '@flowgate/testing/manual-time';
import fc from 'fast-check';
import { clientErrors } from '../../../../test/corpora/client-errors.ts';
import type { BatchAnswer, CallPort, NodeAnswer, NodeCall, NodeReply } from '../../../upstream/port/node-port.ts';
import { refusesRange } from '../../../upstream/response/error-faults.ts';
import { namedBlock } from '../named-block.ts';
import { createBatchSplitter } from '../split-batch.ts';
import { createLogs, type LogsDeps } from './logs.ts';
import { maxPieces } from './split-logs.ts';

type Chain = {
  head: number;
  /** The logs of a block. */
  readonly at: (height: number) => number;
  /** The members of a log besides its block. */
  padding?: string;
  fork?: string;
};
type Limits = {
  readonly range?: number;
  readonly results?: number;
  readonly says?: (from: number, to: number) => string;
};

const signal = new AbortController().signal;
const hex = (height: number) => `0x${height.toString(16)}`;

const logsIn = ({ at, padding = '', fork = '' }: Chain, from: number, to: number): string[] => {
  const logs: string[] = [];
  for (let height = from; height <= to; height++)
    for (let nth = 0; nth < at(height); nth++)
      logs.push(`{"blockNumber":"${hex(height)}", "logIndex":"${hex(nth)}","data":"${fork}${padding}"}`);
  return logs;
};

/** A node of that chain behind the wrapper. */
function over(chain: Chain, limits: Limits = {}, given: Partial<LogsDeps> = {}) {
  const clock = createManualClock();
  const budget = new ByteBudget({ totalBytes: 100_000_000, ownerBytes: 100_000_000 });
  const asked: { method: string; range: string; fromHeight: number | undefined; params: string }[] = [];
  const hooks: { before?: (nth: number) => void; reply?: (call: NodeCall) => NodeReply<NodeAnswer> | undefined } = {};
  const error = (message: string): NodeReply<NodeAnswer> => ({
    ok: true,
    nodeId: 'n1',
    answer: { kind: 'error', raw: rangeOf(JSON.stringify({ code: -32000, message })) },
  });
  const result = (text: string): NodeReply<NodeAnswer> => {
    if (text.length <= 65_536) return { ok: true, nodeId: 'n1', answer: { kind: 'result', raw: rangeOf(text) } };
    const buffer = new BudgetedBuffer(budget, 'alice');
    const bytes = Buffer.from(`before${text}behind`);
    if (buffer.append(bytes, 0, bytes.length) !== 'granted')
      return { ok: false, failure: 'owner-full', maybeDelivered: true };
    const parts = [{ source: buffer, start: 6, end: bytes.length - 6 }];
    return {
      ok: true,
      nodeId: 'n1',
      answer: { kind: 'buffered', buffers: [buffer], parts, release: () => buffer.release() },
    };
  };
  const heightOf = (block: unknown) =>
    typeof block === 'string' && block.startsWith('0x') ? Number(block) : block === 'earliest' ? 0 : chain.head;
  const port: CallPort = {
    async send(call) {
      const text = call.params?.text() ?? '[]';
      const [filter] = JSON.parse(text);
      const [from, to] = [heightOf(filter?.fromBlock), heightOf(filter?.toBlock)];
      asked.push({ method: call.method, range: `${from}-${to}`, fromHeight: call.fromHeight, params: text });
      hooks.before?.(asked.length);
      const scripted = hooks.reply?.(call);
      if (scripted !== undefined) return scripted;
      if (call.method === 'eth_blockNumber') return result(`"${hex(chain.head)}"`);
      if (call.method === 'eth_getBlockByNumber') return result(`{"number":"${hex(heightOf(filter))}"}`);
      if (to - from + 1 > (limits.range ?? Infinity))
        return error(limits.says?.(from, to) ?? `exceed maximum block range: ${limits.range}`);
      const logs = logsIn(chain, from, Math.min(to, chain.head));
      if (logs.length > (limits.results ?? Infinity))
        return error(`query returned more than ${limits.results} results`);
      return result(`[ ${logs.join(' , ')} ]`);
    },
    async sendBatch(batch) {
      asked.push(
        ...batch.questions.map(({ method }) => ({ method, range: 'batch', fromHeight: undefined, params: '' })),
      );
      const answers = batch.questions.map(() => ({ kind: 'result', raw: rangeOf('"rest"') }) as const);
      return { ok: true, nodeId: 'n1', answer: { kind: 'batch', answers } };
    },
  };
  const charged: number[] = [];
  const wrapped = createLogs({
    maxBlockRange: 100,
    maxResults: 1_000,
    ...{ clock, budget, timeoutMs: 30_000, slices: createTimeSlices(clock), timerWheel: createManualTime().timerWheel },
    splitBatch: createBatchSplitter({ clock, budget, timeoutMs: 30_000, reads: evm.reads }),
    nameBlock: (question) => namedBlock(evm, question),
    refusesRange,
    charge(_, requests) {
      charged.push(requests);
      return true;
    },
    heads: () => undefined,
    ...given,
  })(port);
  const callOf = (filter: unknown): NodeCall => ({
    method: 'eth_getLogs',
    params: rangeOf(typeof filter === 'string' ? filter : JSON.stringify([filter])),
    repeatable: true,
    caller: { userId: 'alice', request: { signal } },
  });
  const ask = async (filter: unknown) => textOf(await wrapped.send(callOf(filter)));
  return { asked, ask, wrapped, callOf, charged, budget, clock, hooks, ranges: () => asked.map(({ range }) => range) };
}

/** A text, an error, or the name of a failure. Large answers are read as their caller would read them, and released. */
function textOf(reply: NodeReply<NodeAnswer>): string {
  if (!reply.ok) return reply.failure;
  const { answer } = reply;
  if (answer.kind !== 'buffered') return answer.raw.text();
  const source = new BufferedBody(answer.buffers, answer.parts);
  const pieces: Uint8Array[] = [];
  for (let piece = source.next(); piece !== undefined; piece = source.next()) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces).toString();
}

const between = (from: number, to: number) => ({ fromBlock: hex(from), toBlock: hex(to), address: '0xabc' });
const everyThird: Chain = { head: 1_000, at: (height) => (height % 3 === 0 ? 1 : 0) };

test('a question of at most the range of one answer goes to a node unchanged (contract/logs#split)', async () => {
  const { ask, asked } = over(everyThird);
  const sent = '[{"toBlock":"0x63" , "fromBlock":"0x0","topics":[null]}, 7]';
  expect(JSON.parse(await ask(sent))).toHaveLength(34);
  expect(asked.map(({ params }) => params)).toEqual([sent]);
});

test('a larger range is asked piece by piece, with the newest blocks in one piece, and joined in order, byte for byte (contract/logs#split)', async () => {
  const { ask, asked, ranges, charged } = over(everyThird);
  const got = await ask(
    '[{"address":["0xA","0xb"],"fromBlock":"0x5","topics":[null,["0x1"]],"toBlock":"0xff","odd":"\\u0041"}]',
  );
  expect(ranges().slice(1)).toEqual(['5-55', '56-155', '156-255']);
  expect(asked[1]?.params).toBe(
    '[{"address":["0xA","0xb"],"topics":[null,["0x1"]],"odd":"\\u0041","fromBlock":"0x5","toBlock":"0x37"}]',
  );
  expect(asked.slice(1).map(({ fromHeight }) => fromHeight)).toEqual([55, 155, 255]);
  expect(JSON.parse(got)).toEqual(JSON.parse(`[${logsIn(everyThird, 5, 255).join()}]`));
  expect(charged).toEqual([2]);
});

test('for any chain, range and refusals by nodes, the answer is the whole array of logs, and every byte is released', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(6), { minLength: 1, maxLength: 60 }),
      fc.tuple(fc.nat(400), fc.nat(400)),
      fc.record({ range: fc.integer({ min: 15, max: 400 }), results: fc.integer({ min: 40, max: 900 }) }),
      fc.boolean(),
      fc.constantFrom(0, 3_000),
      async (counts, [one, other], limits, isReported, padding) => {
        const chain: Chain = {
          head: 400,
          at: (height) => counts[height % counts.length] ?? 0,
          padding: 'x'.repeat(padding),
        };
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const says = isReported ? undefined : () => 'block range is too wide';
        const { ask, budget } = over(chain, { ...limits, ...(says && { says }) }, { maxResults: 100_000 });
        const got = JSON.parse(await ask(between(from, to)));
        expect(got).toEqual(JSON.parse(`[${logsIn(chain, from, to).join()}]`));
        expect([budget.reservedBytes, budget.owners]).toEqual([0, 0]);
      },
    ),
    { numRuns: 60 },
  );
});

test('a node that reports its maximum number of blocks is asked for that many, another node for halves (contract/logs#refused-by-a-node)', async () => {
  const reported = over(everyThird, { range: 30 });
  await reported.ask(between(1, 90));
  expect(reported.ranges()).toEqual(['1-90', '1-30', '31-60', '61-90']);
  const untold = over(everyThird, { range: 30, says: () => 'block range is too wide' });
  await untold.ask(between(1, 90));
  expect(new Set(untold.ranges())).toEqual(new Set(['1-90', '1-45', '46-90', '1-22', '23-45', '46-67', '68-90']));
  const single = over({ head: 9, at: () => 5 }, { results: 2 });
  expect(JSON.parse(await single.ask(between(3, 4)))).toMatchObject({ message: 'query returned more than 2 results' });
});

test('an error that is not about the size is returned (contract/logs#refused-by-a-node)', async () => {
  const { ask, hooks, budget } = over({ head: 1_000, at: () => 1, padding: 'x'.repeat(3_000) });
  hooks.reply = ({ params }) =>
    params?.text().includes('"toBlock":"0xc8"') === true
      ? {
          ok: true,
          nodeId: 'n1',
          answer: { kind: 'error', raw: rangeOf('{"code":4444,"message":"pruned history unavailable"}') },
        }
      : undefined;
  expect(await ask(between(1, 300))).toBe('{"code":4444,"message":"pruned history unavailable"}');
  hooks.reply = ({ params }) =>
    params?.text().includes('"toBlock":"0xc8"') === true
      ? { ok: false, failure: 'unreachable', maybeDelivered: false }
      : undefined;
  expect(await ask(between(1, 300))).toBe('unreachable');
  expect([budget.reservedBytes, budget.owners]).toEqual([0, 0]);
});

test('an error about the call, or about a limit that does not depend on the number of blocks, is returned unchanged (contract/logs#refused-by-a-node)', async () => {
  const notByBlocks = [
    'exceed max addresses or topics per search position',
    'Number of requests exceeds max batch size',
    'The batch request was too large',
  ];
  const returned = clientErrors.filter(({ fault, message }) => fault === undefined || notByBlocks.includes(message));
  expect(returned.length).toBeGreaterThan(100);
  for (const { code, message } of returned) {
    const { ask, asked, charged, hooks } = over(everyThird);
    const error = JSON.stringify({ code, message });
    hooks.reply = () => ({ ok: true, nodeId: 'n1', answer: { kind: 'error', raw: rangeOf(error) } });
    expect(await ask(between(900, 990))).toBe(error);
    expect([message, asked.length, charged]).toEqual([message, 1, []]);
  }
});

test('with too many results, the error names the longest range that fits and has the same start, split or not (contract/logs#results)', async () => {
  for (const padding of [0, 3_000])
    for (const [from, to] of [
      [10, 60],
      [10, 400],
      [7, 999],
    ] as const) {
      const chain: Chain = { head: 1_000, at: (height) => height % 4, padding: 'x'.repeat(padding) };
      const { ask, budget } = over(chain, {}, { maxResults: 50 });
      const { code, message, data } = JSON.parse(await ask(between(from, to)));
      expect([code, message]).toEqual([
        -32005,
        `query returned more than 50 results. Try with this block range [${data.fromBlock}, ${data.toBlock}].`,
      ]);
      expect(data.fromBlock).toBe(hex(from));
      const last = Number(data.toBlock);
      expect(logsIn(chain, from, last).length).toBeLessThanOrEqual(50);
      expect(logsIn(chain, from, last + 1).length).toBeGreaterThan(50);
      expect(JSON.parse(await ask(between(from, last)))).toHaveLength(logsIn(chain, from, last).length);
      expect(budget.reservedBytes).toBe(0);
    }
});

test('a single block is answered whole, however many logs it has (contract/logs#results)', async () => {
  const { ask } = over({ head: 1_000, at: () => 80 }, {}, { maxResults: 50 });
  expect(JSON.parse(await ask(between(5, 5)))).toHaveLength(80);
  expect(JSON.parse(await ask(between(5, 6))).data).toEqual({ fromBlock: '0x5', toBlock: '0x5' });
});

test('with more pieces than a call may have, no node is called, and the error names the longest range of one call (contract/logs#split)', async () => {
  const { ask, ranges } = over({ head: 100_000, at: () => 0 });
  const { code, data } = JSON.parse(await ask(between(3, 3 + 100 * maxPieces)));
  expect([code, data]).toEqual([-32005, { fromBlock: '0x3', toBlock: hex(2 + 100 * maxPieces) }]);
  expect(ranges()).toHaveLength(1);
  expect(JSON.parse(await ask(between(3, 2 + 100 * maxPieces)))).toEqual([]);
});

test('a node that refuses every question ends the call after a bounded number of questions (contract/logs#split)', async () => {
  for (const says of [() => 'block range is too wide', () => 'exceed maximum block range: 1']) {
    const { ask, asked } = over({ head: 100_000, at: () => 0 }, { range: 0, says }, { maxBlockRange: 5_000 });
    expect(JSON.parse(await ask(between(1, 40_000))).code).toBeOneOf([-32005, -32000]);
    expect(asked.length).toBeLessThan(4 * maxPieces);
  }
});

test('each further piece counts as a request; the error names the range that the limit allows (contract/logs#charged)', async () => {
  const { ask, ranges } = over(everyThird, {}, { charge: () => 3 });
  const { code, data } = JSON.parse(await ask(between(0, 999)));
  expect([code, data]).toEqual([-32005, { fromBlock: '0x0', toBlock: hex(399) }]);
  expect(ranges()).toHaveLength(1);
});

test('tags mean the same blocks in all pieces, and no piece goes beyond the head (contract/logs#tags)', async () => {
  const chain = { ...everyThird };
  const { ask, ranges, hooks } = over(chain);
  hooks.before = () => {
    chain.head++;
  };
  await ask({ fromBlock: hex(800) });
  const [, ...pieces] = ranges();
  expect(pieces).toEqual(['800-801', '802-901', '902-1001']);
  const far = over({ ...everyThird });
  await far.ask(between(900, 1_000_000));
  expect(far.ranges().slice(1)).toEqual(['900-900', '901-1000']);
  const early = over({ ...everyThird });
  expect(JSON.parse(await early.ask({ fromBlock: 'earliest', toBlock: 'finalized' }))).toHaveLength(334);
});

test('the newest block is the newest one of the network’s heads (contract/logs#tags)', async () => {
  const block = { number: 950, hash: '0x1', parentHash: '0x0', nodeId: 'n1' };
  const known = {
    head: () => block,
    isFresh: () => true,
    refresh: async () => block,
    finalHeight: () => 900,
    hashAt: () => undefined,
    reportedHeight: () => undefined,
  };
  const { ask, ranges } = over(everyThird, {}, { heads: () => known });
  await ask({ fromBlock: hex(800), toBlock: 'latest' });
  expect(ranges()).toEqual(['800-850', '851-950']);
});

test('when the last block of a piece is replaced meanwhile, the later pieces are repeated; if the chain changes again, the call fails (contract/logs#reorganizations)', async () => {
  const chain: Chain = { head: 350, at: () => 1, fork: 'a' };
  let changes = 1;
  const head = { number: 350, hash: '', parentHash: '', nodeId: 'n1' };
  const heads = () => ({
    ...{ head: () => head, isFresh: () => true, refresh: async () => head, finalHeight: () => 200 },
    hashAt: (height: number) => `${height}${chain.fork}`,
    reportedHeight: () => undefined,
  });
  const { ask, hooks, ranges } = over(chain, {}, { heads });
  hooks.before = (nth) => {
    if (nth % 3 !== 0 || changes === 0) return;
    changes--;
    chain.fork += 'b';
  };
  const got = JSON.parse(await ask(between(100, 350)));
  expect(
    got
      .filter(({ blockNumber }: { blockNumber: string }) => Number(blockNumber) > 150)
      .every(({ data }: { data: string }) => data === 'ab'),
  ).toBe(true);
  expect(ranges()).toEqual(['100-150', '151-250', '251-350', '151-250', '251-350']);
  changes = Number.POSITIVE_INFINITY;
  const { code, data } = JSON.parse(await ask(between(100, 350)));
  expect([code, data]).toEqual([-32005, { fromBlock: '0x64', toBlock: '0x96' }]);
});

test('a piece that a node refuses for its size is split within the remaining time of the call (contract/logs#split)', async () => {
  const given: (number | undefined)[] = [];
  const { ask, clock, hooks } = over({ head: 100, at: () => 1 }, { range: 5 });
  hooks.before = (nth) => clock.advance(nth === 1 ? 20_000 : 0);
  hooks.reply = ({ timeoutMs }) => void given.push(timeoutMs);
  await ask({ fromBlock: '0x1', toBlock: '0x9' });
  expect(given).toEqual([undefined, 10_000, 10_000]);
});

test('when time runs out, the error names the range that was answered (contract/logs#split)', async () => {
  const { ask, hooks, clock } = over(everyThird);
  hooks.before = (nth) => clock.advance(nth > 1 ? 6_000 : 0);
  const { data } = JSON.parse(await ask(between(0, 999)));
  expect(data).toEqual({ fromBlock: '0x0', toBlock: hex(499) });
});

test("when the caller's memory limit is reached, the error names the range that was answered (contract/logs#split)", async () => {
  const budget = new ByteBudget({ totalBytes: 400_000, ownerBytes: 400_000 });
  const { ask } = over({ head: 1_000, at: () => 1, padding: 'x'.repeat(500) }, {}, { budget });
  const { data } = JSON.parse(await ask(between(0, 999)));
  expect(data).toEqual({ fromBlock: '0x0', toBlock: hex(699) });
  expect(budget.reservedBytes).toBe(0);
});

test('a question that is not certain to be a range of several blocks goes to a node unchanged', async () => {
  const { ask, asked } = over(everyThird);
  const sent = [
    '[]',
    '[{}]',
    '[{"fromBlock":"latest","toBlock":"latest"}]',
    '[{"fromBlock":"0x1","toBlock":"pending"}]',
    '[{"fromBlock":"0x1","FromBlock":"0x0","toBlock":"0xffff"}]',
    '[{"fromBlock":"0x1","fromBlock":"0x0","toBlock":"0xffff"}]',
    `[{"blockHash":"0x${'a'.repeat(64)}"}]`,
    '[{"fromBlock":1,"toBlock":"0xffff"}]',
    '[{"fromBlock":"0x20","toBlock":"0x10"}]',
  ];
  for (const one of sent) await ask(one);
  expect(asked.map(({ params }) => params)).toEqual(sent);
});

test('in a batch, each range of several blocks is asked on its own, and the rest stays one batch (contract/logs#batches)', async () => {
  const { wrapped, callOf, asked, ranges } = over(everyThird);
  const reply = await wrapped.sendBatch({
    ...callOf({}),
    questions: [
      callOf(between(0, 150)),
      { method: 'eth_chainId', params: undefined },
      callOf(between(7, 7)),
      callOf(between(1, 9)),
    ],
  });
  if (!reply.ok) throw new Error(reply.failure);
  const { answers } = reply.answer as Exclude<BatchAnswer, { kind: 'error' }>;
  const texts = answers.map((answer) => (answer !== undefined && 'raw' in answer ? answer.raw.text() : undefined));
  expect(texts.map((text) => (text === '"rest"' ? text : JSON.parse(text ?? '').length))).toEqual([
    51,
    '"rest"',
    '"rest"',
    3,
  ]);
  expect(asked.filter(({ range }) => range === 'batch').map(({ method }) => method)).toEqual([
    'eth_chainId',
    'eth_getLogs',
  ]);
  expect(
    ranges()
      .filter((range) => range.includes('-'))
      .sort(),
  ).toEqual(['0-50', '1-9', '51-150', '1000-1000'].sort());
});
