import { expect, test } from 'bun:test';
import { singleFlight } from './single-flight.ts';

test('whoever asks while it runs gets the same run, and the next one begins again', async () => {
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

test('a run that fails fails for all who wait for it, and not for the next', async () => {
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
