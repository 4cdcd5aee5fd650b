import { expect, test } from 'bun:test';
import { bytesOf } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import fc from 'fast-check';
import type { NodeQuestion } from './node-port.ts';
import { batchLength, createNodeIds, requestLength, writeBatch, writeRequest } from './node-request.ts';

const textOf = (content: Parameters<typeof bytesOf>[0]) => Buffer.from(bytesOf(content)).toString();
/** Throws if the length differs from the written bytes. */
const requestFor = (question: NodeQuestion, id: number) =>
  textOf({ length: requestLength(question, id), writeTo: (writer) => writeRequest(writer, question, id) });
const batchRequestFor = (questions: readonly NodeQuestion[], firstId: number) =>
  textOf({ length: batchLength(questions, firstId), writeTo: (writer) => writeBatch(writer, questions, firstId) });

test('the node receives the gateway’s envelope with the caller’s params bytes (contract/json-rpc#messages)', () => {
  expect(requestFor({ method: 'eth_call', params: rangeOf('[ 1.0, "\\u0061", "é" ]') }, 7)).toBe(
    '{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[ 1.0, "\\u0061", "é" ]}',
  );
  expect(requestFor({ method: 'eth_chainId', params: undefined }, 1)).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
  );
});

test('a batch is numbered from its first id, in order', () => {
  const calls = [
    { method: 'eth_chainId', params: undefined },
    { method: 'eth_call', params: rangeOf('[]') },
  ];
  expect(batchRequestFor(calls, 1)).toBe(
    `[${requestFor({ method: 'eth_chainId', params: undefined }, 1)},{"jsonrpc":"2.0","id":2,"method":"eth_call","params":[]}]`,
  );
  expect(batchRequestFor([], 1)).toBe('[]');
  expect(batchRequestFor(calls, 41)).toContain('"id":42,"method":"eth_call"');
});

test('no method name escapes from its envelope', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (method) => {
      const message: unknown = JSON.parse(requestFor({ method, params: undefined }, 1));
      expect(message).toEqual({ jsonrpc: '2.0', id: 1, method });
    }),
  );
});

test('ids increase over all calls and batches, fit the integers of all nodes, and never equal the id of the chain request', () => {
  const takeIds = createNodeIds();
  expect([takeIds(1), takeIds(3), takeIds(1), takeIds(2_147_483_641), takeIds(1)]).toEqual([1, 2, 5, 6, 1]);
  expect([takeIds(2_147_483_646), takeIds(1)]).toEqual([1, 1]);
});
