import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import fc from 'fast-check';
import { admissionHistories } from '../../test/fixtures/admission-history.ts';
import type { Admission } from '../api/rate-limiter.ts';
import { AdmissionLog } from './admission-log.ts';
import { createRateLimiter } from './rate-limit.ts';

function limiter(userPerMinute: number, sessionPerMinute = 60) {
  const clock = createManualClock();
  const limits = createRateLimiter({ userPerMinute, sessionPerMinute, clock });
  const admit = (userId: string, cost = 1, sessionId?: string): Admission => {
    const admission = limits.admit(userId, cost, sessionId);
    if (admission instanceof Promise) throw new Error('one process decides without waiting');
    return admission;
  };
  return { clock, admit, peek: limits.peek };
}

test('exactly the limit is admitted, and the next request when the oldest one has left the window (contract/limits#windows)', () => {
  const { clock, admit } = limiter(3);
  expect([admit('a'), admit('a'), admit('a')].map((one) => one.remaining)).toEqual([2, 1, 0]);
  const refused = admit('a');
  expect(refused).toMatchObject({ admitted: false, limit: 3, remaining: 0, retryAfterMs: 60_000 });
  clock.advance(59_999);
  expect(admit('a').admitted).toBe(false);
  clock.advance(1);
  expect(admit('a').admitted).toBe(true);
});

test('peek returns what admit would return, and counts nothing', () => {
  const { clock, admit, peek } = limiter(3);
  admit('a');
  clock.advance(10_000);
  admit('a');
  for (let n = 0; n < 5; n++) {
    expect(peek('a', 1)).toMatchObject({ admitted: true, remaining: 1, retryAfterMs: 0 });
    expect(peek('a', 2)).toMatchObject({ admitted: false, limit: 3, remaining: 1, retryAfterMs: 50_000 });
    expect(peek('a', 3)).toMatchObject({ admitted: false, retryAfterMs: 60_000 });
  }
  expect(admit('a')).toMatchObject({ admitted: true, remaining: 0 });
});

test('users do not share a limit', () => {
  const { admit } = limiter(1);
  expect(admit('a').admitted).toBe(true);
  expect(admit('b').admitted).toBe(true);
  expect(admit('a').admitted).toBe(false);
});

test('a batch is admitted whole or not at all, and a refused one consumes nothing (contract/json-rpc#batches, contract/limits#windows)', () => {
  const { clock, admit } = limiter(10);
  admit('a', 4);
  clock.advance(10_000);
  admit('a', 4);
  const refused = admit('a', 5);
  expect(refused).toMatchObject({ admitted: false, remaining: 2 });
  expect(refused.retryAfterMs).toBe(50_000);
  expect(admit('a', 2).admitted).toBe(true);
});

test('Reset is the wall time at which the oldest request leaves the window', () => {
  const { clock, admit } = limiter(5);
  const startedMs = clock.now();
  admit('a');
  clock.advance(20_000);
  expect(admit('a').resetAtMs).toBe(startedMs + 60_000);
});

test('user and session are decided together: a refusal by one consumes nothing of the other (contract/limits#what-counts)', () => {
  const { admit } = limiter(5, 2);
  admit('a', 1, 'ses_1');
  admit('a', 1, 'ses_1');
  expect(admit('a', 1, 'ses_1')).toMatchObject({ admitted: false, limit: 2, remaining: 0 });
  expect(admit('a', 1, 'ses_2')).toMatchObject({ admitted: true, limit: 2, remaining: 1 });
  expect(admit('a').remaining).toBe(1);
});

test('headers report the tighter limit', () => {
  const { admit } = limiter(100, 2);
  expect(admit('a', 1, 'ses_1')).toMatchObject({ limit: 2, remaining: 1 });
  const tight = limiter(2, 100);
  expect(tight.admit('a', 1, 'ses_1')).toMatchObject({ limit: 2, remaining: 1 });
});

test('another user who knows a session id cannot spend its limit (contract/flow-apps)', () => {
  const { admit } = limiter(100, 1);
  expect(admit('stranger', 1, 'ses_1').admitted).toBe(true);
  expect(admit('owner', 1, 'ses_1').admitted).toBe(true);
});

test('a change of the wall clock admits no request early and delays none', () => {
  const { clock, admit } = limiter(1);
  admit('a');
  clock.setWall(clock.now() + 3_600_000);
  expect(admit('a').admitted).toBe(false);
  clock.setWall(clock.now() - 7_200_000);
  clock.advance(60_000);
  expect(admit('a').admitted).toBe(true);
});

test('the limiter agrees with a plain log of all admitted times over random histories, headers included', () => {
  fc.assert(
    fc.property(
      admissionHistories(120),
      fc.integer({ min: 5, max: 12 }),
      fc.integer({ min: 5, max: 8 }),
      (history, perUser, perSession) => {
        const { clock, admit } = limiter(perUser, perSession);
        const times = new Map<string, number[]>();
        for (const { waitMs, user, cost, session } of history) {
          clock.advance(waitMs);
          const now = clock.monotonic();
          const counted = (name: string) => (times.get(name) ?? []).filter((at) => now - at < 60_000);
          const demands = [
            { name: user, limit: perUser },
            ...(session === undefined ? [] : [{ name: `${session} ${user}`, limit: perSession }]),
          ];
          const fits = demands.every(({ name, limit }) => counted(name).length + cost <= limit);
          const admission = admit(user, cost, session);
          expect(admission.admitted).toBe(fits);
          if (fits)
            for (const { name } of demands) times.set(name, [...counted(name), ...new Array<number>(cost).fill(now)]);
          const left = demands.map(({ name, limit }) => limit - counted(name).length);
          if (fits) expect(admission.remaining).toBe(Math.min(...left));
          else expect(left).toContain(admission.remaining);
          if (!fits) {
            clock.advance(admission.retryAfterMs);
            const later = clock.monotonic();
            const free = demands.every(
              ({ name, limit }) => (times.get(name) ?? []).filter((at) => later - at < 60_000).length + cost <= limit,
            );
            expect(free).toBe(true);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('memory is bounded by the callers of the last two windows: a million identities are gone two minutes later', () => {
  const log = new AdmissionLog(60_000);
  for (let at = 0; at < 1_000_000; at++) log.of(`user-${at}`, 1_000).add(1, 1_000);
  expect(log.identities).toBe(1_000_000);
  log.of('other', 61_000);
  log.of('other', 121_000);
  expect(log.identities).toBe(1);
});

test('an identity in the older generation retains its count', () => {
  const log = new AdmissionLog(60_000);
  log.of('first', 60_000).add(1, 60_000);
  log.of('a', 110_000).add(5, 110_000);
  log.of('first', 121_000).add(1, 121_000);
  expect(log.of('a', 130_000).waitFor(1, 5, 130_000)).toBe(40_000);
});

test('beyond the maximum of identities, new ones share one window: refused too early, never too late', () => {
  const log = new AdmissionLog(60_000, 2);
  log.of('a', 0).add(1, 0);
  log.of('b', 0).add(1, 0);
  log.of('c', 0).add(1, 0);
  expect(log.of('d', 0).waitFor(1, 1, 0)).toBe(60_000);
  expect(log.of('a', 0).waitFor(1, 2, 0)).toBe(0);
});
