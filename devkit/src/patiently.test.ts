import { expect, test } from 'bun:test';
import { patiently } from './patiently.ts';

const refusal = (status: number) => Object.assign(new Error('no'), { status });

test('a call that is refused with 503 is retried until it succeeds', async () => {
  let asked = 0;
  const answer = await patiently(async () => {
    asked += 1;
    if (asked === 1) throw refusal(503);
    return asked;
  });
  expect(answer).toBe(2);
});

test('any other error is thrown at once', async () => {
  let asked = 0;
  const work = async () => {
    asked += 1;
    throw refusal(409);
  };
  const [outcome] = await Promise.allSettled([patiently(work)]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 409 } });
  expect(asked).toBe(1);
});
