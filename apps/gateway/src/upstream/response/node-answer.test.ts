import { describe, expect, test } from 'bun:test';
import { ByteRange } from '@flowgate/bytes/byte-range';
import { jsonTexts } from '@flowgate/testing/json-texts';
import fc from 'fast-check';
import { withTexts } from '../../../test/fixtures/with-texts.ts';
import * as nodeAnswer from './node-answer.ts';

/** Surrounded by other bytes, as in the piece that a socket delivers. */
function within(text: string): ByteRange {
  const bytes = Buffer.from(`}]${text}[{`);
  return new ByteRange(bytes, 2, bytes.length - 2);
}

const readSingleAnswer = (text: string, id: number) => withTexts(nodeAnswer.readSingleAnswer(within(text), id));
const readBatchAnswer = (text: string, firstId: number, count: number) =>
  withTexts(nodeAnswer.readBatchAnswer(within(text), firstId, count));
const saysUnreadable = (text: string) => nodeAnswer.saysUnreadable(within(text));
type TextAnswer = { kind: 'result' | 'error'; raw: string };

const result = (raw: string) => ({ kind: 'result', raw }) as const;
const error = (raw: string) => ({ kind: 'error', raw }) as const;
const batch = (answers: readonly (TextAnswer | undefined)[], inStep = true) => ({
  kind: 'batch' as const,
  answers,
  inStep,
});
const failure = '{"code":-32000,"message":"nonce too low"}';

describe('one answer', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":"0x10"}', result('"0x10"')],
    ['{"jsonrpc":"2.0","id":1,"result":"0x10"}\n', result('"0x10"')],
    ['{"jsonrpc":"2.0","result":"0x10","id":1}', result('"0x10"')],
    ['{"result":"0x10","id":1,"jsonrpc":"2.0"}', result('"0x10"')],
    [' { "id" : 1 , "result" : [ 1.0 , 1e2 ] , "jsonrpc" : "2.0" } ', result('[ 1.0 , 1e2 ]')],
    ['{"jsonrpc":"2.0","id":1,"result":null}', result('null')],
    ['{"jsonrpc":"2.0","id":1,"result":null,"error":null}', result('null')],
    ['{"jsonrpc":"2.0","id":1,"result":false,"error":null}', result('false')],
    ['{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}', result('{"a":1,"a":2}')],
    ['{"jsonrpc":"2.0","id":1,"result":12345678901234567890}', result('12345678901234567890')],
    ['{"jsonrpc":"2.0","id":1,"result":"\\u0061","usage":{"cu":26}}', result('"\\u0061"')],
    ['{"id":1,"result":1}', result('1')],
    ['{"jsonrpc":"2.0","\\u0069d":1,"r\\u0065sult":1}', result('1')],
    [`{"jsonrpc":"2.0","id":1,"error":${failure}}`, error(failure)],
    [`{"jsonrpc":"2.0","id":1,"result":null,"error":${failure}}`, error(failure)],
    [`{"error":${failure},"id":1}`, error(failure)],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"data":"0x08c3","message":"","code":3}}',
      error('{"data":"0x08c3","message":"","code":3}'),
    ],
  ])('%s is read', (text, expected) => {
    expect(readSingleAnswer(text, 1)).toEqual(expected);
  });

  test.each([
    ...['', ' ', 'null', '1', '[]', '{}', '"ok"', '<html>502</html>', 'upstream error', '{"jsonrpc":"2.0","id":1}'],
    ...[
      '{"jsonrpc":"2.0","id":1,"result":}',
      '{"jsonrpc":"2.0","id":1,"result":0x10}',
      '{"jsonrpc":"2.0","id":1,"result":"0x10"',
    ],
    ...[
      '{"jsonrpc":"2.0","id":1,"result":"0x10"}}',
      '{"jsonrpc":"2.0","id":1,"result":"0x10"}{}',
      '{"jsonrpc":"2.0","id":1,"result":"0x10",}',
    ],
    ...[
      '{"jsonrpc":"2.0","id":1,"result":"0x\n10"}',
      '{"jsonrpc":"2.0","id":1,"result":NaN}',
      '\ufeff{"jsonrpc":"2.0","id":1,"result":1}',
    ],
    ...[
      '{"jsonrpc":"2.0","id":2,"result":1}',
      '{"jsonrpc":"2.0","id":"1","result":1}',
      '{"jsonrpc":"2.0","id":1.0,"result":1}',
    ],
    ...[
      '{"jsonrpc":"2.0","id":null,"result":1}',
      '{"jsonrpc":"2.0","result":1}',
      '{"jsonrpc":"2.0","id":11,"result":1}',
    ],
    ...[
      '{"jsonrpc":"1.0","id":1,"result":1}',
      '{"jsonrpc":2.0,"id":1,"result":1}',
      '[{"jsonrpc":"2.0","id":1,"result":1}]',
    ],
    ...[
      '{"jsonrpc":"2.0","id":1,"result":1,"result":1}',
      '{"jsonrpc":"2.0","id":1,"id":1,"result":1}',
      '{"id":2,"result":1,"id":1}',
    ],
    // A single call has an id, so an error without one belongs to no call.
    ...[`{"jsonrpc":"2.0","id":null,"error":${failure}}`, `{"jsonrpc":"2.0","error":${failure}}`],
    ...[`{"jsonrpc":"2.0","id":"1","error":${failure}}`, `{"jsonrpc":"2.0","id":2,"error":${failure}}`],
    ...['{"jsonrpc":"2.0","id":1,"result":1,"x":1,"x":1}', '{"jsonrpc":"2.0","id":1,"result":1,"r\\u0065sult":2}'],
    ...[
      '{"jsonrpc":"2.0","id":1,"error":null}',
      '{"jsonrpc":"2.0","id":1,"error":"boom"}',
      '{"jsonrpc":"2.0","id":1,"error":[]}',
    ],
    ...[
      '{"jsonrpc":"2.0","id":1,"error":{}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
      '{"jsonrpc":"2.0","id":1,"error":{"message":"a"}}',
    ],
    ...[
      '{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"a"}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"a"}}',
    ],
    ...[
      '{"jsonrpc":"2.0","id":1,"error":{"code":1e3,"message":"a"}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":null}}',
    ],
    ...[
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"code":2,"message":"a"}}',
      `{"jsonrpc":"2.0","id":2,"error":${failure}}`,
    ],
    ...[
      `{"jsonrpc":"2.0","id":1,"result":1,"error":${failure}}`,
      `{"jsonrpc":"2.0","error":${failure}}`,
      '['.repeat(100_000),
    ],
    `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(100_000)}`,
  ])('%j is invalid (contract/json-rpc#nodes: 502)', (text) => {
    expect(readSingleAnswer(text, 1)).toBeUndefined();
  });

  test.each(
    jsonTexts
      .filter(([name]) => !name.includes('depth'))
      .map(([name, text, accepted]) => [name, text, accepted] as const),
  )('a result of %s is accepted exactly if it is JSON, and stays unchanged', (_name, text, accepted) => {
    const raw = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
    const expected = accepted ? result(raw) : undefined;
    // Text that follows must not close the corpus's unclosed texts: the braces after them keep them invalid.
    expect(readSingleAnswer(`{"jsonrpc":"2.0","id":1,"result":${raw}}`, 1)).toEqual(expected);
    expect(readSingleAnswer(`{"jsonrpc":"2.0","result":${raw},"id":1}`, 1)).toEqual(expected);
  });

  test('the bytes of a result stay unchanged, in any order of members', () => {
    const order = fc.shuffledSubarray(['jsonrpc', 'id', 'result'], { minLength: 3 });
    fc.assert(
      fc.property(fc.jsonValue(), order, fc.constantFrom(0, 2), (value, names, indent) => {
        const raw = JSON.stringify(value, null, indent);
        const members: Record<string, string> = { jsonrpc: '"2.0"', id: '42', result: raw };
        const text = `{${names.map((name) => `"${name}":${members[name]}`).join(',')}}`;
        expect(readSingleAnswer(text, 42)).toEqual(result(raw));
      }),
    );
  });

  test('a trace of 1,024 call frames is accepted (contract/json-rpc: results pass unchanged)', () => {
    const raw = `${'{"calls":['.repeat(1_024)}1${']}'.repeat(1_024)}`;
    expect(readSingleAnswer(`{"jsonrpc":"2.0","id":1,"result":${raw}}`, 1)).toEqual(result(raw));
    expect(readBatchAnswer(`[{"jsonrpc":"2.0","id":1,"result":${raw}}]`, 1, 1)).toEqual(batch([result(raw)]));
  });

  test('a result of 5 MB is accepted', () => {
    const raw = `"0x${'ab12ef90'.repeat(655_360)}"`;
    expect(readSingleAnswer(`{"jsonrpc":"2.0","id":1,"result":${raw}}`, 1)).toEqual(result(raw));
  });
});

describe('a batch of answers', () => {
  const element = (id: string, raw: string) => `{"jsonrpc":"2.0","id":${id},"result":${raw}}`;

  test('answers return in the order of the questions, in any order of arrival', () => {
    const text = `[${element('3', '"c"')},{"id":1,"error":${failure}}, ${element('2', '"b"')} ]`;
    expect(readBatchAnswer(text, 1, 3)).toEqual(batch([error(failure), result('"b"'), result('"c"')]));
  });

  test('a missing, duplicate or invalid element is undefined in its place, and the others are valid', () => {
    const text = `[${element('2', '1')},${element('2', '1')},{"id":3},${element('4', '4')},${element('2', '9')}]`;
    expect(readBatchAnswer(text, 1, 5)).toEqual(
      batch([undefined, undefined, undefined, result('4'), undefined], false),
    );
    expect(readBatchAnswer(`[{"id":1},${element('1', '1')},${element('2', '2')}]`, 1, 2)).toEqual(
      batch([undefined, result('2')], false),
    );
    expect(readBatchAnswer(`[${element('2', '2')}]`, 1, 2)).toEqual(batch([undefined, result('2')]));
  });

  test('content that leaves each call unanswered is no answer', () => {
    for (const text of ['[]', '[1]', '[{}]', `[{"id":1},${element('1', '1')}]`, `[${element('3', '1')}]`, '[{"id":1}]'])
      expect(readBatchAnswer(text, 1, 2)).toBeUndefined();
  });

  test('elements with unknown ids are skipped, and mark the answers as out of step', () => {
    const ids = ['0', '-1', '3', '"1"', '1.0', '01', 'null', '1e0', '[]', '99999999999999999999'].filter(
      (id) => id !== '01',
    );
    const text = `[${ids.map((id) => element(id, '0')).join()},1,null,"a",[],[${element('2', '0')}],${element('1', '1')}]`;
    expect(readBatchAnswer(text, 1, 2)).toEqual(batch([result('1'), undefined], false));
    for (const id of ids)
      expect(readBatchAnswer(`[${element('1', '1')},${element(id, '0')}]`, 1, 2)).toEqual(
        batch([result('1'), undefined], false),
      );
  });

  test('ids count up from the first one, and ids of another batch are ignored', () => {
    const text = `[${element('7', '"a"')},${element('9', '"c"')},${element('6', '0')},${element('10', '0')},${element('1', '0')}]`;
    expect(readBatchAnswer(text, 7, 3)).toEqual(batch([result('"a"'), undefined, result('"c"')], false));
  });

  test('an error with an id answers another call, not the whole batch', () => {
    expect(readBatchAnswer(`{"jsonrpc":"2.0","id":424242,"error":${failure}}`, 1, 3)).toBeUndefined();
    expect(readBatchAnswer(`{"jsonrpc":"2.0","id":1,"error":${failure}}`, 1, 3)).toBeUndefined();
  });

  test('one error object for the whole batch is that error', () => {
    expect(readBatchAnswer(`{"jsonrpc":"2.0","id":null,"error":${failure}}\n`, 1, 3)).toEqual(error(failure));
    expect(readBatchAnswer(`{"jsonrpc":"2.0","error":${failure}}`, 1, 3)).toEqual(error(failure));
  });

  const unread = '{"code":-32700,"message":"Parse error"}';
  test.each([
    [`{"jsonrpc":"2.0","id":null,"error":${unread}}\n`, true],
    [` {"error":{"message":"Invalid Request","code":-32600,"data":[]}}`, true],
    [`{"jsonrpc":"2.0","id":null,"error":${failure}}`, false],
    [`{"jsonrpc":"2.0","id":1,"error":${unread}}`, false],
    ['{"jsonrpc":"2.0","id":null,"result":1}', false],
    ['{"jsonrpc":"2.0","id":null,"error":"boom"}', false],
    [`{"jsonrpc":"2.0","id":null,"error":${unread}}x`, false],
    [`[{"jsonrpc":"2.0","id":null,"error":${unread}}]`, false],
    ['', false],
  ])('%s reports that the server could not parse a request: %p', (text, is) => {
    expect(saysUnreadable(text)).toBe(is);
  });

  test.each([
    ...['', '1', 'null', '{}', '[', '[1', '[1,]', '[1 2]', '[]]', '[] x', '[01]', '<html>', '['.repeat(100_000)],
    ...['{"jsonrpc":"2.0","id":1,"result":1}', '{"jsonrpc":"2.0","id":null,"error":"boom"}', `{"error":${failure}}}`],
    `[${element('1', '1')},{"id":2,"result":NaN}]`,
  ])('%j is invalid (contract/json-rpc#nodes: 502)', (text) => {
    expect(readBatchAnswer(text, 1, 2)).toBeUndefined();
  });

  test('answers that are shuffled, dropped and duplicated at random end in their places', () => {
    const ids = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 12 });
    fc.assert(
      fc.property(ids, (given) => {
        const text = `[${given.map((id) => element(String(id), `"${id}"`)).join()}]`;
        const expected = Array.from({ length: 8 }, (_, at) =>
          given.filter((id) => id === at + 1).length === 1 ? result(`"${at + 1}"`) : undefined,
        );
        const inStep = new Set(given).size === given.length;
        expect(readBatchAnswer(text, 1, 8)).toEqual(
          expected.some((answer) => answer !== undefined) ? batch(expected, inStep) : undefined,
        );
      }),
    );
  });

  test('the most common form is parsed like any other: white space makes no difference', () => {
    const id = fc.constantFrom('1', '2', '3', '0', '01', '4', '12345678901', '');
    const raw = fc.constantFrom(
      '"a"',
      '{"b":[1]}',
      'null',
      '1',
      '1e',
      '"',
      '[',
      '1,"error":null',
      '1,"id":2',
      '1,"x":1',
      '1}',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(id, raw), { maxLength: 5 }), (elements) => {
        const compact = `[${elements.map(([id, raw]) => element(id, raw)).join()}]`;
        const spaced = `[${elements.map(([id, raw]) => element(id, raw).replace('{', '{ ')).join()}]`;
        expect(readBatchAnswer(compact, 1, 3)).toEqual(readBatchAnswer(spaced, 1, 3));
      }),
    );
  });
});
