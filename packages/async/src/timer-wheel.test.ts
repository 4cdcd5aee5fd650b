import { describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import fc from 'fast-check';
import { createTimerWheel } from './timer-wheel.ts';

/** A clock and a timer that the test moves. */
function handTime() {
  let nowMs = 1_000;
  let planned: { atMs: number; run: () => void } | undefined;
  let wakes = 0;
  return {
    clock: { monotonic: () => nowMs },
    schedule: (ms: number, run: () => void) => {
      const plan = { atMs: nowMs + ms, run };
      planned = plan;
      return () => {
        if (planned === plan) planned = undefined;
      };
    },
    /** Advances the time like an event loop: the timer fires when it is due. */
    pass(ms: number) {
      const untilMs = nowMs + ms;
      while (planned !== undefined && planned.atMs <= untilMs) {
        const { atMs, run } = planned;
        planned = undefined;
        nowMs = Math.max(nowMs, atMs);
        wakes++;
        run();
      }
      nowMs = untilMs;
    },
    /** Advances the time while the event loop is blocked. */
    block(ms: number) {
      nowMs += ms;
    },
    get sleeping() {
      return planned === undefined;
    },
    get wakes() {
      return wakes;
    },
  };
}

function setUp() {
  const time = handTime();
  return { time, timerWheel: createTimerWheel(time.clock, 50, time.schedule) };
}

describe('deadlines', () => {
  test('a deadline fires once, never early, at most two ticks late', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(200_000), fc.nat(500)), { minLength: 1, maxLength: 40 }), (plan) => {
        const { time, timerWheel } = setUp();
        const fired: { askedMs: number; tookMs: number }[] = [];
        for (const [askedMs, pauseMs] of plan) {
          const startMs = time.clock.monotonic();
          timerWheel.arm(askedMs, () => fired.push({ askedMs, tookMs: time.clock.monotonic() - startMs }));
          time.pass(pauseMs);
        }
        time.pass(200_200);
        expect(fired.length).toBe(plan.length);
        for (const { askedMs, tookMs } of fired) {
          expect(tookMs).toBeGreaterThanOrEqual(askedMs);
          expect(tookMs).toBeLessThanOrEqual(askedMs + 101);
        }
        expect(time.sleeping).toBeTrue();
      }),
    );
  });

  test('a disarmed deadline never fires; disarming is idempotent, also after the deadline fired', () => {
    const { time, timerWheel } = setUp();
    let fired = 0;
    const first = timerWheel.arm(100, () => fired++);
    const second = timerWheel.arm(100, () => fired++);
    timerWheel.disarm(first);
    timerWheel.disarm(first);
    time.pass(300);
    expect(fired).toBe(1);
    timerWheel.disarm(second);
    timerWheel.arm(100, () => fired++);
    time.pass(300);
    expect(fired).toBe(2);
  });

  test('a callback may disarm another deadline of the same tick, and arm new ones', () => {
    const { time, timerWheel } = setUp();
    const fired: string[] = [];
    timerWheel.arm(100, () => {
      fired.push('first');
      timerWheel.disarm(second);
      timerWheel.arm(0, () => fired.push('third'));
    });
    const second = timerWheel.arm(100, () => fired.push('second'));
    time.pass(500);
    expect(fired).toEqual(['first', 'third']);
  });

  test('after the event loop was blocked, a new deadline does not fire early', () => {
    const { time, timerWheel } = setUp();
    const fired: string[] = [];
    timerWheel.arm(100, () => fired.push('old'));
    time.block(5_000);
    timerWheel.arm(200, () => fired.push('new'));
    time.pass(100);
    expect(fired).toEqual(['old']);
    time.pass(250);
    expect(fired).toEqual(['old', 'new']);
  });

  test('nothing ticks while no deadline is armed, and long deadlines cause few wake-ups', () => {
    const { time, timerWheel } = setUp();
    time.pass(10_000);
    expect(time.wakes).toBe(0);
    for (let call = 0; call < 1_000; call++) {
      timerWheel.disarm(timerWheel.arm(30_000, () => {}));
      time.pass(100);
    }
    expect(time.wakes).toBeLessThan(10);
    time.pass(60_000);
    expect(time.sleeping).toBeTrue();
  });

  test('an armed deadline does not keep the process alive', () => {
    const script = `
      import { createTimerWheel } from './timer-wheel.ts';
      import { systemClock } from '@flowgate/base/clock';
      createTimerWheel(systemClock).arm(60_000, () => {});`;
    const ended = Bun.spawnSync([process.execPath, '-e', script], { cwd: import.meta.dir, timeout: 20_000 });
    expect(ended.stderr.toString()).toBe('');
    expect(ended.exitCode).toBe(0);
  });

  test('with the real clock and timer a deadline fires, and not early', async () => {
    const timerWheel = createTimerWheel(systemClock, 5);
    const startMs = systemClock.monotonic();
    const interval = setInterval(() => {}, 1_000);
    await new Promise<void>((resolve) => timerWheel.arm(30, resolve));
    clearInterval(interval);
    expect(systemClock.monotonic() - startMs).toBeGreaterThanOrEqual(30);
  });
});
