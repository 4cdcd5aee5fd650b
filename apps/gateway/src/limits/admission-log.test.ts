/** Compares the ring of admitted times with a plain model: a list with one time per request. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { AdmissionLog } from './admission-log.ts';

const windowMs = 100;

/** The reference model of `Window`: one time per request. */
class Model {
  times: number[] = [];

  expire(now: number): void {
    this.times = this.times.filter((at) => at > now - windowMs);
  }

  waitFor(cost: number, limit: number, now: number): number {
    this.expire(now);
    const excess = this.times.length + cost - limit;
    return excess <= 0 ? 0 : Math.max(1, (this.times[excess - 1] ?? now) + windowMs - now);
  }

  remove(cost: number, at: number): void {
    const same = this.times.filter((time) => time === at).length;
    const remaining = Math.max(0, same - cost);
    const first = this.times.indexOf(at);
    if (first >= 0) this.times.splice(first, same, ...new Array<number>(remaining).fill(at));
  }
}

const step = fc.record({
  passMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 150 })),
  does: fc.constantFrom('add', 'add', 'add', 'record', 'remove', 'wait'),
  cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 })),
  /** How many moments before the last one the removal is about. */
  back: fc.nat(6),
});

for (const [name, costs] of [
  ['of single requests', (_cost: number) => 1],
  ['of batches', (cost: number) => cost],
] as const)
  test(`counts, waits and removals ${name} agree with a plain list of times`, () => {
    const limit = 12;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const window = new AdmissionLog(windowMs).of('a', 0);
        const model = new Model();
        const moments: number[] = [];
        let now = 0;
        for (const { passMs, does, cost: given, back } of steps) {
          now += passMs;
          const cost = costs(given);
          if (does === 'wait' || does === 'add') {
            const waitMs = model.waitFor(cost, limit, now);
            expect(window.waitFor(cost, limit, now)).toBe(waitMs);
            if (does === 'add' && waitMs === 0) {
              window.add(cost, now);
              model.times.push(...new Array<number>(cost).fill(now));
              moments.push(now);
            }
          } else if (does === 'record') {
            window.record(cost, now);
            model.expire(now);
            model.times.push(...new Array<number>(cost).fill(now));
            moments.push(now);
          } else {
            const at = moments.at(-1 - back) ?? now;
            window.remove(cost, at);
            model.remove(cost, at);
          }
          expect(window.size).toBe(model.times.length);
          const oldest = model.times[0];
          expect(window.untilOldestLeaves(now)).toBe(oldest === undefined ? 0 : Math.max(0, oldest + windowMs - now));
        }
      }),
      { numRuns: 1_000 },
    );
  });

test('a batch is one entry: its memory and time do not grow with the number of its messages', () => {
  const writes = (cost: number) => {
    const window = new AdmissionLog(60_000).of('a', 0);
    for (let nth = 0; nth < 200; nth++) window.add(cost, nth);
    return JSON.stringify(window).length;
  };
  expect(writes(100_000)).toBeLessThan(2 * writes(10));
});
