import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { answerError, answerResult, batchRequestFor, requestFor } from './answer-text.ts';
import { decodeBody } from './message.ts';

test("the node gets the gateway's envelope with the caller's params bytes in it (contract/json-rpc#messages)", () => {
  expect(requestFor({ method: 'eth_call', params: '[ 1.0, "\\u0061" ]' }, 7)).toBe(
    '{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[ 1.0, "\\u0061" ]}',
  );
  expect(requestFor({ method: 'eth_chainId', params: undefined }, 1)).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
  );
});

test('a batch is numbered from its first id in its order', () => {
  const calls = [
    { method: 'eth_chainId', params: undefined },
    { method: 'eth_call', params: '[]' },
  ];
  expect(batchRequestFor(calls, 1)).toBe(
    `[${requestFor({ method: 'eth_chainId', params: undefined }, 1)},{"jsonrpc":"2.0","id":2,"method":"eth_call","params":[]}]`,
  );
  expect(batchRequestFor([], 1)).toBe('[]');
  expect(batchRequestFor(calls, 41)).toContain('"id":42,"method":"eth_call"');
});

test('no method name breaks out of its envelope', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (method) => {
      expect(decodeBody(requestFor({ method, params: undefined }, 1), 1)).toEqual({
        kind: 'single',
        message: { kind: 'call', id: '1', method, params: undefined },
      });
    }),
  );
});

test('answers carry id, result and error as they came', () => {
  expect(answerResult('1.0', '{ "a":1e2 }')).toBe('{"jsonrpc":"2.0","id":1.0,"result":{ "a":1e2 }}');
  expect(answerError('"\\u0061"', '{"code":3 }')).toBe('{"jsonrpc":"2.0","id":"\\u0061","error":{"code":3 }}');
});
