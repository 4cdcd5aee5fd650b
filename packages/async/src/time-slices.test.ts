import { expect, test } from 'bun:test';
import { createManualClock, type ManualClock } from '@flowgate/testing/manual-clock';
import { createTimeSlices, runAtOnce, runInSlices } from './time-slices.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A job of `steps` steps, each of which takes `ms`. */
function jobOf(clock: ManualClock, steps: number, ms: number, onStep: () => void = () => {}) {
  let left = steps;
  return () => {
    clock.advance(ms);
    onStep();
    left--;
    return left === 0;
  };
}

test('a short job completes at once', async () => {
  const clock = createManualClock();
  const slices = createTimeSlices(clock);
  let steps = 0;
  const done = slices.run(jobOf(clock, 4, 0.5, () => steps++));
  expect(steps).toBe(4);
  await done;
});

test('for any number of jobs, one turn of the event loop gives them one slice together, and each gets its turn', async () => {
  const clock = createManualClock();
  const slices = createTimeSlices(clock, 3);
  const order: string[] = [];
  const names = ['a', 'b', 'c', 'd', 'e'];
  const all = Promise.all(names.map((name) => slices.run(jobOf(clock, 8, 1, () => order.push(name)))));
  expect(order.length).toBe(3);
  const perTurn: number[] = [];
  let seen = order.length;
  while (order.length < 40) {
    await nextTurn();
    perTurn.push(order.length - seen);
    seen = order.length;
  }
  await all;
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(3);
  // Only the first job ran in the first slice; from then on they take turns.
  for (const name of names) expect(order.slice(3, 18).filter((each) => each === name)).toHaveLength(3);
});

test('a job that throws rejects; the others continue', async () => {
  const clock = createManualClock();
  const slices = createTimeSlices(clock, 3);
  const bug = new Error('a bug');
  const failing = slices.run(() => {
    throw bug;
  });
  const other = slices.run(jobOf(clock, 3, 1));
  expect(await failing.catch((cause: unknown) => cause)).toBe(bug);
  await other;
});

test('a generator continues from its last yield, in turns with others, and its return value is the result', async () => {
  const clock = createManualClock();
  const slices = createTimeSlices(clock, 3);
  const order: string[] = [];
  function* counting(name: string): Generator<undefined, string> {
    for (let step = 1; step <= 6; step++) {
      clock.advance(2);
      order.push(`${name}${step}`);
      yield;
    }
    return `${name} is done`;
  }
  const results = await Promise.all([runInSlices(slices, counting('a')), runInSlices(slices, counting('b'))]);
  expect(results).toEqual(['a is done', 'b is done']);
  expect(order.filter((step) => step.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
  expect(order.indexOf('b1')).toBeLessThan(order.indexOf('a6'));
  expect(runAtOnce(counting('c'))).toBe('c is done');
});

test('an error of a generator rejects', async () => {
  function* failing(): Generator<undefined, never> {
    yield;
    throw new Error('in the middle');
  }
  await expect(runInSlices(createTimeSlices(createManualClock()), failing())).rejects.toThrow('in the middle');
});
