import { expect, test } from 'bun:test';
import { answerError, answerResult } from './answer-text.ts';

test('answers carry id, result and error as they came', () => {
  expect(answerResult('1.0', '{ "a":1e2 }')).toBe('{"jsonrpc":"2.0","id":1.0,"result":{ "a":1e2 }}');
  expect(answerError('"\\u0061"', '{"code":3 }')).toBe('{"jsonrpc":"2.0","id":"\\u0061","error":{"code":3 }}');
});
