import { expect, test } from 'bun:test';
import { singleFlight } from './single-flight.ts';

test('callers during a run share it, and the next call begins a new run', async () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const ask = singleFlight(() => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  });
  const both = [ask(), ask()];
  expect(runs).toHaveLength(1);
  runs[0]?.resolve(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
  const next = ask();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve(8);
  expect(await next).toBe(8);
});

test('a run that fails rejects for all its callers, and not for the next', async () => {
  let runs = 0;
  const ask = singleFlight(async () => {
    runs += 1;
    if (runs === 1) throw new Error('once');
    return runs;
  });
  const outcomes = await Promise.allSettled([ask(), ask()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask()).toBe(2);
});
