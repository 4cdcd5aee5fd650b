import { expect, test } from 'bun:test';
import { bytesOf, TextContent } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { BatchContent, version1, version2 } from './answer-content.ts';

const written = (content: Parameters<typeof bytesOf>[0]) => Buffer.from(bytesOf(content)).toString();

test('answers contain id, result and error unchanged', () => {
  const result = version2.result(rangeOf('1.0'), rangeOf('{ "a":1e2, "é":"€" }'));
  expect(written(result)).toBe('{"jsonrpc":"2.0","id":1.0,"result":{ "a":1e2, "é":"€" }}');
  const error = version2.error(rangeOf('"\\u0061"'), '{"code":3 }');
  expect(written(error)).toBe('{"jsonrpc":"2.0","id":"\\u0061","error":{"code":3 }}');
});

test('a message of version 1 is answered with both members, one of them null (contract/json-rpc#bitcoin)', () => {
  const [id, raw] = [rangeOf('"\\u0061"'), rangeOf('{ "a":1e2, "é":"€" }')];
  expect(written(version1.result(id, raw))).toBe('{"result":{ "a":1e2, "é":"€" },"error":null,"id":"\\u0061"}');
  expect(written(version1.error(id, '{"code":3 }'))).toBe('{"result":null,"error":{"code":3 },"id":"\\u0061"}');
  expect(`${version1.resultHead(id)}1.0${version1.resultEnd(id)}`).toBe(written(version1.result(id, rangeOf('1.0'))));
  expect(`${version2.resultHead(id)}1.0${version2.resultEnd(id)}`).toBe(written(version2.result(id, rangeOf('1.0'))));
  const refusal = '{"jsonrpc":"2.0","id":"\\u0061","error":{"code":-1,"data":{"id":"}"}}}';
  expect(written(version2.refusal(new TextContent(refusal), id))).toBe(refusal);
  expect(written(version1.refusal(new TextContent(refusal), id))).toBe(
    '{"result":null,"error":{"code":-1,"data":{"id":"}"}},"id":"\\u0061"}',
  );
});

test('the answers to a batch are one array, in order', () => {
  expect(written(new BatchContent([new TextContent('1')]))).toBe('[1]');
  const result = version2.result(rangeOf('7'), rangeOf('null'));
  expect(written(new BatchContent([new TextContent('é'), result]))).toBe('[é,{"jsonrpc":"2.0","id":7,"result":null}]');
});
