import { expect, test } from 'bun:test';
import { startLoopDeadline } from './loop-deadline.ts';

/** Timers that fire when the test decides, and their clock. */
function manualTime() {
  let nowMs = 0;
  let timer: { readonly atMs: number; readonly run: () => void } | undefined;
  const fireDue = () => {
    const due = timer;
    if (due === undefined || due.atMs > nowMs) return false;
    timer = undefined;
    due.run();
    return true;
  };
  return {
    clock: { monotonic: () => nowMs },
    schedule: (ms: number, run: () => void) => {
      timer = { atMs: nowMs + ms, run };
      return () => {
        timer = undefined;
      };
    },
    now: () => nowMs,
    isArmed: () => timer !== undefined,
    /** Runs the loop: each timer fires when it is due. */
    run(ms: number) {
      const untilMs = nowMs + ms;
      while (timer !== undefined && timer.atMs <= untilMs) {
        nowMs = Math.max(nowMs, timer.atMs);
        fireDue();
      }
      nowMs = untilMs;
    },
    /** Blocks the loop: no timer fires meanwhile. */
    standStill(ms: number) {
      nowMs += ms;
      fireDue();
    },
  };
}

/** The time at which a deadline of 160 ms expired. */
function overAt(act: (time: ReturnType<typeof manualTime>) => void): number | undefined {
  const time = manualTime();
  let over: number | undefined;
  startLoopDeadline(
    160,
    () => {
      over = time.now();
    },
    time,
  );
  act(time);
  return over;
}

test('a deadline expires after its time when the loop runs', () => {
  expect(overAt((time) => time.run(159))).toBeUndefined();
  expect(overAt((time) => time.run(1_000))).toBe(160);
});

test('a blocked event loop does not count, at the beginning, in the middle and at the end', () => {
  for (const beforeMs of [0, 70, 155])
    expect([
      beforeMs,
      overAt((time) => {
        time.run(beforeMs);
        time.standStill(100);
        time.run(55);
      }),
    ]).toEqual([beforeMs, undefined]);
});

test('after the loop was blocked at the end there is time to read the bytes that arrived meanwhile', () => {
  expect(
    overAt((time) => {
      time.run(155);
      time.standStill(5_000);
      time.run(150);
    }),
  ).toBeUndefined();
});

test('a loop that delays every timer extends the deadline to a bounded time', () => {
  const over = overAt((time) => {
    for (let turn = 0; turn < 100 && time.isArmed(); turn++) time.standStill(45);
  });
  expect(over).toBeGreaterThan(2 * 160);
  expect(over).toBeLessThan(3.5 * 160);
});

test('timers that are a little late do not extend the deadline', () => {
  const over = overAt((time) => {
    for (let turn = 0; turn < 100 && time.isArmed(); turn++) time.standStill(25);
  });
  expect(over).toBe(175);
});

test('a stopped deadline never expires, before and after the loop was blocked', () => {
  for (const standstillMs of [0, 300]) {
    const time = manualTime();
    const over: number[] = [];
    const stop = startLoopDeadline(160, () => over.push(time.now()), time);
    time.standStill(standstillMs);
    stop();
    time.run(10_000);
    expect([over, time.isArmed()]).toEqual([[], false]);
  }
});
