import { expect, test } from 'bun:test';
import { bytesOf, TextContent } from '../platform/bytes/byte-content.ts';
import { rangeOf } from '../platform/bytes/byte-range.ts';
import { BatchContent, errorContent, ResultContent } from './answer-content.ts';

const written = (content: Parameters<typeof bytesOf>[0]) => Buffer.from(bytesOf(content)).toString();

test('answers carry id, result and error as they came', () => {
  const result = new ResultContent(rangeOf('1.0'), rangeOf('{ "a":1e2, "é":"€" }'));
  expect(written(result)).toBe('{"jsonrpc":"2.0","id":1.0,"result":{ "a":1e2, "é":"€" }}');
  const error = errorContent(rangeOf('"\\u0061"'), '{"code":3 }');
  expect(written(error)).toBe('{"jsonrpc":"2.0","id":"\\u0061","error":{"code":3 }}');
});

test('the answers to a batch stand in one array, in their order', () => {
  expect(written(new BatchContent([new TextContent('1')]))).toBe('[1]');
  const result = new ResultContent(rangeOf('7'), rangeOf('null'));
  expect(written(new BatchContent([new TextContent('é'), result]))).toBe('[é,{"jsonrpc":"2.0","id":7,"result":null}]');
});
