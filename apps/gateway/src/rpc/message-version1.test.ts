import { describe, expect, test } from 'bun:test';
import { version1, version2 } from './answer-content.ts';
import { decodeBody } from './message.ts';

/** The result of decoding, for each message of a body. */
function messages(text: string, takesVersion1 = true) {
  const body = decodeBody(Buffer.from(text), 10, takesVersion1);
  if (body.kind !== 'single' && body.kind !== 'batch') throw new Error(body.kind);
  return (body.kind === 'single' ? [body.message] : body.messages).map((message) => [
    message.kind === 'call' ? message.method : message.detail,
    message.id?.text(),
    message.form === version1 ? 1 : message.form === version2 ? 2 : undefined,
  ]);
}

const versions1 = [
  '"jsonrpc":"1.0",',
  '"jsonrpc":null,',
  '',
  '"jsonrpc":"\\u0031.0",',
  '"jsonrpc":"\\u0031\\u002e\\u0030",',
];

describe('networks that accept version 1 (contract/json-rpc#bitcoin)', () => {
  test.each(versions1)('a message with %j is answered in version 1, also without an id', (version) => {
    expect(messages(`{${version}"id":"a","method":"getblockcount","params":[]}`)).toEqual([
      ['getblockcount', '"a"', 1],
    ]);
    expect(messages(`{${version}"method":"getblockcount"}`)).toEqual([['getblockcount', 'null', 1]]);
    expect(messages(`{${version}"id":null,"method":"getblockcount"}`)).toEqual([['getblockcount', 'null', 1]]);
    expect(messages(`{${version}"id":1,"params":[]}`)).toEqual([['method must be a string', '1', 1]]);
  });

  test.each(['"2.0"', '"2\\u002e0"'])('a message of version %s is read strictly as that version', (version) => {
    expect(messages(`{"jsonrpc":${version},"id":1,"method":"m"}`)).toEqual([['m', '1', 2]]);
    expect(messages(`{"jsonrpc":${version},"method":"m"}`)).toEqual([['m', undefined, 2]]);
    expect(messages(`{"jsonrpc":${version},"id":1,"params":[]}`)).toEqual([['method must be a string', '1', 2]]);
  });

  test.each(['"1.1"', '"2"', '1', '2.0', '""', '[]', '{}', 'true', '"1.0 "', '" 1.0"', '"1.00"'])(
    'a message of version %s is invalid',
    (version) => {
      const detail = 'jsonrpc must be the string "2.0" or "1.0", or left out';
      expect(messages(`{"jsonrpc":${version},"id":1,"method":"m"}`)).toEqual([[detail, '1', 1]]);
    },
  );

  test.each([
    '{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,"method":"m"}',
    '{"jsonrpc":"1.0","JSONRPC":"2.0","id":1,"method":"m"}',
    '{"id":1,"method":"a","method":"b"}',
    '{"id":1,"method":"a","METHOD":"b"}',
    '{"id":1,"method":"a","Params":[]}',
    '{"id":{},"method":"a"}',
    '{"id":1,"method":"a","params":"x"}',
  ])('a message of version 1 is read as strictly as version 2: %s', (text) => {
    const [message] = messages(text);
    expect(message?.[0]).not.toBeOneOf(['a', 'b', 'm']);
  });

  test('each message of a batch has its own version', () => {
    const batch = '[{"id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"},{"jsonrpc":"2.0","method":"c"},7]';
    expect(messages(batch)).toEqual([
      ['a', '1', 1],
      ['b', '2', 2],
      ['c', undefined, 2],
      ['a request must be an object', 'null', 2],
    ]);
  });
});

test.each(versions1)('on other networks a message with %j is invalid (contract/json-rpc#messages)', (version) => {
  const detail = 'jsonrpc must be the string "2.0"';
  expect(messages(`{${version}"id":1,"method":"m"}`, false)).toEqual([[detail, '1', 2]]);
});
