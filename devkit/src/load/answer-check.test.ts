import { expect, test } from 'bun:test';
import { AnswerCheck, bodyProblem } from './answer-check.ts';

const single = { bytes: new Uint8Array(), firstId: 7, batchSize: 1 };
const pair = { bytes: new Uint8Array(), firstId: 7, batchSize: 2 };
const good = '{"jsonrpc":"2.0","id":7,"result":"0x10d4f1e"}';

test("the node's result under the request's id is right, anything else is a problem", () => {
  const expectation = { status: 200, body: 'result' } as const;
  expect(bodyProblem(good, single, expectation)).toBeUndefined();
  expect(bodyProblem('{"id":8,"result":"0x10d4f1e"}', single, expectation)).toContain('id is not 7');
  expect(bodyProblem('{"id":7,"result":"0x1"}', single, expectation)).toContain("not the node's");
  expect(bodyProblem('rubbish', single, expectation)).toBeDefined();
});

test('a batch needs every answer, in order', () => {
  const expectation = { status: 200, body: 'result' } as const;
  const second = good.replace('7', '8');
  expect(bodyProblem(`[${good},${second}]`, pair, expectation)).toBeUndefined();
  expect(bodyProblem(`[${second},${good}]`, pair, expectation)).toBeDefined();
  expect(bodyProblem(`[${good}]`, pair, expectation)).toContain('1 answers to 2 calls');
});

test('refusals are recognized by their error envelope', () => {
  const refusal = { status: 403, body: 'rpc-error' } as const;
  expect(bodyProblem('{"id":7,"error":{"code":-32001,"message":""}}', single, refusal)).toBeUndefined();
  expect(bodyProblem(good, single, refusal)).toContain('no error');
  expect(bodyProblem('{"status":429}', single, { status: 429, body: 'standard-error' })).toBeUndefined();
  expect(bodyProblem('{"status":500}', single, { status: 429, body: 'standard-error' })).toBeDefined();
});

test('each status is checked, and a tolerated status is rare', () => {
  const check = new AnswerCheck({ status: 429, body: 'any', toleratedStatus: 200 });
  const answer = (status: number) => ({ head: `HTTP/1.1 ${status} X`, body: Buffer.from('{}') });
  expect(check.problemWith(answer(429), single)).toBeUndefined();
  expect(check.problemWith(answer(500), single)).toContain('status 500 instead of 429');
  for (let count = 0; count < 5; count += 1) expect(check.problemWith(answer(200), single)).toBeUndefined();
  expect(check.problemInAll()).toContain('tolerated');
});
