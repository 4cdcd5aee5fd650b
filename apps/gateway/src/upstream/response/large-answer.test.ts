/** Large answers are parsed like small ones: the parser of bytes is compared with the parser of text, for each place where a block can end. */
import { describe, expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { systemClock } from '@flowgate/base/clock';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { jsonTexts } from '@flowgate/testing/json-texts';
import fc from 'fast-check';
import { withTexts } from '../../../test/fixtures/with-texts.ts';
import type { BufferedElement } from '../port/node-port.ts';
import { readLargeBatch, readLargeSingle } from './large-answer.ts';
import * as nodeAnswer from './node-answer.ts';

type TextAnswer = { kind: 'result' | 'error'; raw: string };

const readSingleAnswer = (text: string, id: number) =>
  withTexts(nodeAnswer.readSingleAnswer(rangeOf(text), id)) as TextAnswer | undefined;
const readBatchAnswer = (text: string, firstId: number, count: number) =>
  withTexts(nodeAnswer.readBatchAnswer(rangeOf(text), firstId, count)) as
    | TextAnswer
    | { kind: 'batch'; answers: readonly (TextAnswer | undefined)[] }
    | undefined;

const slices = createTimeSlices(systemClock);
const blockBytes = 65_536;

/** The text after enough white space that a block ends `cut` bytes into it. */
function bufferedAt(text: string | Uint8Array, cut: number): BudgetedBuffer {
  const bytes = Buffer.concat([Buffer.alloc(blockBytes - cut, 0x20), Buffer.from(text)]);
  const buffer = new BudgetedBuffer(new ByteBudget({ totalBytes: 1 << 28, ownerBytes: 1 << 28 }), 'alice');
  buffer.append(bytes, 0, bytes.length);
  return buffer;
}

const textOf = ({ parts }: BufferedElement): TextAnswer => ({
  kind: 'result',
  raw: parts
    .map((part) => (typeof part === 'object' && 'source' in part ? part.source.text(part.start, part.end) : part))
    .join(''),
});

async function single(buffer: BudgetedBuffer): Promise<TextAnswer | undefined> {
  const answer = await readLargeSingle(buffer, 1, slices);
  return answer?.kind === 'buffered'
    ? textOf({ kind: 'buffered', parts: answer.parts })
    : (withTexts(answer) as TextAnswer | undefined);
}

async function batch(
  buffer: BudgetedBuffer,
  count = 3,
): Promise<readonly (TextAnswer | undefined)[] | TextAnswer | undefined> {
  const answer = await readLargeBatch(buffer, 1, count, slices);
  if (answer?.kind !== 'buffered') return withTexts(answer) as TextAnswer | undefined;
  return answer.answers.map((each) =>
    each?.kind === 'buffered' ? textOf(each) : (withTexts(each) as TextAnswer | undefined),
  );
}

function smallBatch(text: string): ReturnType<typeof batch> extends Promise<infer Answers> ? Answers : never {
  const answer = readBatchAnswer(text, 1, 3);
  return answer?.kind === 'batch' ? answer.answers : answer;
}

test('a large batch reports when an envelope in it answers no call of it, or a call twice', async () => {
  const envelope = (id: number) => `{"id":${id},"result":1}`;
  for (const [ids, inStep] of [
    [[3, 1, 2], true],
    [[2], true],
    [[1, 2, 4], false],
    [[0, 1], false],
    [[1, 2, 2], false],
  ] as const) {
    const answer = await readLargeBatch(bufferedAt(`[${ids.map(envelope).join()}]`, 5), 1, 3, slices);
    expect(answer).toMatchObject({ kind: 'buffered', inStep });
    const small = readBatchAnswer(`[${ids.map(envelope).join()}]`, 1, 3);
    expect(small).toMatchObject({ kind: 'batch', inStep });
  }
});

const failure = '{"code":-32000,"message":"nonce \\"too low"}';
const envelopes = [
  '{"jsonrpc":"2.0","id":1,"result":"0x10"}',
  ' { "id" : 1 , "result" : [ 1.0 , 1e2, -0.5E-7, true, false, null ] , "jsonrpc" : "2.0" } ',
  '{"jsonrpc":"2.0","id":1,"result":null,"error":null}',
  '{"jsonrpc":"2.0","\\u0069d":1,"r\\u0065sult":"a\\ud83d\\ude00\\n"}',
  '{"id":1,"result":{"id":2,"result":{"error":[{}]},"name":"é€😀"},"usage":{"cu":26}}',
  `{"jsonrpc":"2.0","id":1,"error":${failure}}`,
  `{"jsonrpc":"2.0","id":null,"error":${failure}}`,
  `{"jsonrpc":"2.0","id":1,"result":null,"error":${failure}}`,
  ...['{"jsonrpc":"2.0","id":11,"result":1}', '{"id":"1","result":1}', '{"id":12345678901234567890,"result":1}'],
  ...['{"jsonrpc":"1.0","id":1,"result":1}', '{"jsonrpc":2.0,"id":1,"result":1}', '{"id":2,"result":1,"id":1}'],
  ...['{"id":1,"result":1,"x":1,"x":1}', '{"id":1,"result":1,"r\\u0065sult":2}', '{"id":1,"RESULT":1,"result":2}'],
  ...['{"id":1,"re\u017fult":1,"result":2}', '{"id":1,"error":"boom"}', '{"id":1,"error":{"code":1.5,"message":"a"}}'],
  ...[`{"id":1,"result":1,"error":${failure}}`, '{"id":1}', '{}', '[]', '[1,"2",[3],{}]', '1', '"text"', '', '<html>'],
  ...[
    '{"id":1,"result":1}}',
    '{"id":1,"result":1,}',
    '{"id":1,,"result":1}',
    '{"id":1 "result":1}',
    '{"id":1,"result":1',
  ],
  ...[
    '{"id":1,"result":[1,]}',
    '{"id":1,"result":[,1]}',
    '{"id":1,"result":{1:2}}',
    '{"id":1,"result":[1}}',
    '{"id" 1}',
  ],
  `[${[3, 1, 2].map((id) => `{"id":${id},"result":[${id}]}`).join(' , ')}]`,
  `[{"id":1,"result":1},{"id":1,"result":2},{"id":3,"error":${failure}}]`,
  '[{"x":1,"x":1,"id":1,"result":1},{"id":1,"result":2},7,{"id":2}]',
  '[{"id":1,"result":1},]',
  '[{"id":1,"result":1}',
];

describe('the same result, and the same bytes, as for a small answer', () => {
  test('envelopes, whole and broken, at every cut', async () => {
    for (const text of envelopes)
      for (let cut = 0; cut <= Buffer.byteLength(text); cut++) {
        expect({ text, cut, read: await single(bufferedAt(text, cut)) }).toEqual({
          text,
          cut,
          read: readSingleAnswer(text, 1),
        });
        expect({ text, cut, read: await batch(bufferedAt(text, cut)) }).toEqual({
          text,
          cut,
          read: smallBatch(text),
        });
      }
  });

  test('any JSON text, and any other text, as a result', async () => {
    for (const [, raw] of jsonTexts) {
      const text = `{"jsonrpc":"2.0","id":1,"result":${raw}}`;
      const expected = readSingleAnswer(text, 1);
      const spaces = expected?.kind === 'result' ? expected : undefined;
      for (const cut of [0, 33, 34, 35, 36, Math.min(text.length, 40)])
        expect({ raw, read: await single(bufferedAt(text, cut)) }).toEqual({ raw, read: spaces });
    }
  });

  test('random texts with random changes of bytes', async () => {
    const answer = fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.constantFrom(1, 2, 3, null),
      result: fc.json().map((text) => JSON.parse(text) as unknown),
    });
    const texts = fc
      .oneof(answer, fc.array(answer, { maxLength: 4 }))
      .map((value) => Buffer.from(JSON.stringify(value)));
    const changes = fc.array(
      fc.tuple(fc.nat(200), fc.constantFrom(...Buffer.from('{}[]",:\\u0e-. 1tn\x01\xff\xc3', 'latin1'))),
      { maxLength: 2 },
    );
    await fc.assert(
      fc.asyncProperty(texts, changes, fc.nat(200), async (bytes, changed, cut) => {
        for (const [at, byte] of changed) if (at < bytes.length) bytes[at] = byte;
        const buffered = () => bufferedAt(bytes, Math.min(cut, bytes.length));
        const text = utf8Of(bytes);
        expect(await single(buffered())).toEqual(text === undefined ? undefined : readSingleAnswer(text, 1));
        expect(await batch(buffered())).toEqual(text === undefined ? undefined : smallBatch(text));
      }),
      { numRuns: 1500 },
    );
  });
});

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

test('bytes that are not UTF-8 are no answer, at each end of a block', async () => {
  const wrong = [
    [0xff],
    [0xc3],
    [0xc3, 0x28],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f, 0x98],
    [0xf5, 0x80, 0x80, 0x80],
    [0x80],
    [0xc3, 0xa9, 0x80],
  ];
  const head = Buffer.from('{"id":1,"result":"');
  for (const bytes of wrong) {
    const text = Buffer.concat([head, Buffer.from(bytes), Buffer.from('"}')]);
    for (let cut = head.length - 1; cut < text.length; cut++)
      expect(await single(bufferedAt(text, cut))).toBeUndefined();
  }
  const right = Buffer.from('{"id":1,"result":"é€😀"}');
  for (let cut = 0; cut <= right.length; cut++)
    expect(await single(bufferedAt(right, cut))).toEqual({ kind: 'result', raw: '"é€😀"' });
});

test('an answer may nest as deep as a trace does, and no deeper', async () => {
  const nested = (levels: number) => `{"id":1,"result":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  for (const levels of [8_191, 8_192]) {
    const expected = readSingleAnswer(nested(levels), 1);
    expect(await single(bufferedAt(nested(levels), 100))).toEqual(expected);
    expect(expected === undefined).toBe(levels === 8_192);
  }
});

test('errors of one answer that are megabytes together are refused, because they would be searched as text', async () => {
  const error = (bytes: number) => `{"code":3,"message":"m","data":"${'0'.repeat(bytes)}"}`;
  const answers = (bytes: number) => `[${[1, 2, 3].map((id) => `{"id":${id},"error":${error(bytes)}}`).join(',')}]`;
  expect(await batch(bufferedAt(answers(300_000), 0))).toEqual(smallBatch(answers(300_000)));
  const [first, , third] = [await batch(bufferedAt(answers(400_000), 0))].flat();
  expect(first?.kind).toBe('error');
  expect(third).toBeUndefined();
});

test('a million members of an envelope are skipped without being stored', async () => {
  const crowd = Array.from({ length: 300_000 }, (_, nth) => `"m${nth}":0`).join(',');
  expect(await single(bufferedAt(`{"id":1,"result":1,${crowd}}`, 0))).toBeUndefined();
  expect(await single(bufferedAt(`{"id":1,"result":{${crowd}}}`, 0))).toEqual({ kind: 'result', raw: `{${crowd}}` });
});
