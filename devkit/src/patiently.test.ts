import { expect, test } from 'bun:test';
import { patiently } from './patiently.ts';

const refusal = (status: number) => Object.assign(new Error('no'), { status });

test('what was refused with 503 is done again, and its result is the answer', async () => {
  let asked = 0;
  const answer = await patiently(async () => {
    asked += 1;
    if (asked === 1) throw refusal(503);
    return asked;
  });
  expect(answer).toBe(2);
});

test('any other refusal is told at once', async () => {
  let asked = 0;
  const work = async () => {
    asked += 1;
    throw refusal(409);
  };
  const [outcome] = await Promise.allSettled([patiently(work)]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 409 } });
  expect(asked).toBe(1);
});
