import { expect, test } from 'bun:test';
import { ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import fc from 'fast-check';
import { answerIdOf, idAtHead, idAtTail, maxIdBytes, notAnId } from './answer-id.ts';
import { readSingleAnswer } from './node-answer.ts';

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":1}', 7],
  ['{"jsonrpc":"2.0","id":2147483647,"error":{}}', 2_147_483_647],
  ['{"jsonrpc":"2.0","result":{"id":9},"id":7}', 7],
  [' { "id" : 7 , "result" : 1 } ', 7],
  ['[{"jsonrpc":"2.0","id":7,"result":1},{"jsonrpc":"2.0","id":8,"result":1}]', 7],
  [' [ {"result":[{"id":3}],"id":7}]', 7],
  ['{"jsonrpc":"2.0","id":null,"error":{}}', notAnId.withoutId],
  ['{"jsonrpc":"2.0","error":{}}', notAnId.withoutId],
  ['{"jsonrpc":"2.0","method":"eth_subscription","params":{}}', notAnId.notification],
  ['{"jsonrpc":"2.0","id":"7","result":1}', notAnId.unreadable],
  // Refused when it is read.
  ['{"jsonrpc":"2.0","id":7.0,"result":1}', 7],
  ['{"jsonrpc":"2.0","id":0,"result":1}', notAnId.unreadable],
  ['{"jsonrpc":"2.0","id":-7,"result":1}', notAnId.unreadable],
  ['{"jsonrpc":"2.0","id":07,"result":1}', notAnId.unreadable],
  ['7', notAnId.unreadable],
  ['[]', notAnId.unreadable],
  ['', notAnId.unreadable],
  ['{"jsonrpc":', notAnId.unreadable],
])('the id of %s is %d', (text, id) => {
  expect(answerIdOf(rangeOf(text))).toBe(id);
  // Among other messages, as in a piece with several of them.
  const among = Buffer.from(`}]12"${text}34,"id":5}`);
  const found = answerIdOf(new ByteRange(among, 5, 5 + Buffer.byteLength(text)));
  expect(found).toBe(id);
});

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":"', 7],
  ['{"id":7,"jsonrpc":"2.0","result":"', 7],
  ['[ { "jsonrpc" : "2.0" , "id" : 7 , "result":"', 7],
  ['{"jsonrpc":"2.0","result":"","id":7,"', undefined],
  ['{"jsonrpc":"2.0","id":"7","result":"', undefined],
  ['{"jsonrpc":"2.0","id":70000000000,"result":"', undefined],
])('a large message that begins with %s', (text, id) => {
  expect(idAtHead(rangeOf(`${text}${'x'.repeat(1_000)}`))).toBe(id);
});

test.each([
  ['"],"id":7}', 7],
  ['", "id" : 7 , "jsonrpc" : "2.0" }\n', 7],
  ['","id":6},{"result":"","id":7}]', 7],
  ['"}],"result":{"a":1,"id":7}}', undefined],
  [String.raw`,\"id\":7}"}`, undefined],
  ['"xid":7}', undefined],
  ['{"id":7}', undefined],
])('a large message that ends with %s', (text, id) => {
  expect(idAtTail(Buffer.from(`${'x'.repeat(maxIdBytes)}${text}`))).toBe(id);
});

test('an answer in the middle of a piece is parsed without the bytes after it', () => {
  const answers = fc.constantFrom(
    '{"jsonrpc":"2.0","id":7,"result":"0x1"}',
    '{"jsonrpc":"2.0","id":7,"result":12}\n',
    '{"jsonrpc":"2.0","id":7,"result":[1,{"a":"b"}]} ',
    '{"jsonrpc":"2.0","result":1,"id":7}',
    '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}',
  );
  const after = fc.constantFrom('', '}', '}}', '2}', '"}', ' ', '\n}', ',"id":8}', ']}');
  fc.assert(
    fc.property(answers, fc.nat({ max: 60 }), after, (answer, cut, next) => {
      const text = answer.slice(0, answer.length - Math.min(cut, answer.length));
      const piece = Buffer.from(`"${text}${next}`);
      const among = readSingleAnswer(new ByteRange(piece, 1, 1 + text.length), 7);
      const alone = readSingleAnswer(rangeOf(text), 7);
      expect([among?.kind, among?.raw.text()]).toEqual([alone?.kind, alone?.raw.text()]);
    }),
    { numRuns: 500, seed: 101 },
  );
});
