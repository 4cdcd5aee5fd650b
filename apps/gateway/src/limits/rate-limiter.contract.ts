/** The guarantees of every limiter (contract/limits#windows), tested on a clock that only the test moves. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type AdmissionStep, admissionHistories } from '../../test/fixtures/admission-history.ts';
import type { Admission } from '../api/rate-limiter.ts';
import { KnownUserLimits, type LimitOverrides, type UserLimits } from './user-limits.ts';

export type Limits = {
  readonly userPerMinute: number;
  readonly sessionPerMinute: number;
  readonly overrides?: LimitOverrides;
};

export type OpenedLimits = {
  /** Returns a new limiter that has counted nothing yet. */
  readonly limiter: (limits: Limits) => Promise<{
    readonly admit: (userId: string, cost: number, sessionId?: string) => Admission | Promise<Admission>;
  }>;
  /** The clock of the limiter, in milliseconds. */
  readonly now: () => number;
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function rateLimiterContract(engine: string, open: () => Promise<OpenedLimits>, numRuns: number): void {
  describe(`limits on ${engine}`, () => {
    let opened: OpenedLimits;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    test("a user's own limit applies to that user only, and requests from before a change still count (contract/administration#limits-of-a-user)", async () => {
      const overrides = new KnownUserLimits();
      const set = (limits: UserLimits) => overrides.replace(new Map([['a', limits]]));
      const { admit } = await opened.limiter({ userPerMinute: 3, sessionPerMinute: 2, overrides });
      for (const remaining of [2, 1])
        expect(await admit('a', 1)).toMatchObject({ admitted: true, limit: 3, remaining });
      set({ userPerMinute: 5 });
      await opened.advance(10_000);
      for (const remaining of [2, 1, 0])
        expect(await admit('a', 1)).toMatchObject({ admitted: true, limit: 5, remaining });
      expect(await admit('a', 1)).toMatchObject({ admitted: false, limit: 5, retryAfterMs: 50_000 });
      expect(await admit('b', 3)).toMatchObject({ admitted: true, limit: 3, remaining: 0 });
      set({ userPerMinute: 2 });
      // After 50 s two of the five requests have left and three remain; one of these has to leave as well.
      await opened.advance(50_000);
      expect(await admit('a', 1)).toMatchObject({ admitted: false, limit: 2, remaining: 0, retryAfterMs: 10_000 });
      await opened.advance(10_000);
      expect(await admit('a', 2)).toMatchObject({ admitted: true, limit: 2, remaining: 0 });
      overrides.replace(new Map());
      expect(await admit('a', 1)).toMatchObject({ admitted: true, limit: 3, remaining: 0 });
    });

    test("a user's own session limit holds in each of the user's sessions", async () => {
      const overrides = new KnownUserLimits();
      overrides.replace(new Map([['a', { sessionPerMinute: 1 }]]));
      const { admit } = await opened.limiter({ userPerMinute: 9, sessionPerMinute: 2, overrides });
      for (const session of ['s', 't']) {
        expect(await admit('a', 1, session)).toMatchObject({ admitted: true, limit: 1, remaining: 0 });
        expect(await admit('a', 1, session)).toMatchObject({ admitted: false, limit: 1, retryAfterMs: 60_000 });
        expect(await admit('b', 1, session)).toMatchObject({ admitted: true, limit: 2, remaining: 1 });
      }
    });

    test('exactly the limit is admitted, and one more when the oldest has left (contract/limits#windows)', async () => {
      const { admit } = await opened.limiter({ userPerMinute: 3, sessionPerMinute: 9 });
      const startMs = opened.now();
      for (const remaining of [2, 1, 0])
        expect(await admit('a', 1)).toEqual({
          admitted: true,
          limit: 3,
          remaining,
          resetAtMs: startMs + 60_000,
          retryAfterMs: 0,
        });
      await opened.advance(59_999);
      expect(await admit('a', 1)).toMatchObject({ admitted: false, limit: 3, remaining: 0, retryAfterMs: 1 });
      await opened.advance(1);
      expect(await admit('a', 1)).toMatchObject({ admitted: true, remaining: 2 });
    });

    test('a batch is admitted whole or not at all, and a refused one consumes nothing (contract/json-rpc#batches, contract/limits#windows)', async () => {
      const { admit } = await opened.limiter({ userPerMinute: 10, sessionPerMinute: 9 });
      await admit('a', 4);
      await opened.advance(10_000);
      await admit('a', 4);
      expect(await admit('a', 5)).toMatchObject({ admitted: false, remaining: 2, retryAfterMs: 50_000 });
      expect(await admit('a', 7)).toMatchObject({ admitted: false, remaining: 2, retryAfterMs: 60_000 });
      expect(await admit('a', 2)).toMatchObject({ admitted: true, remaining: 0 });
    });

    test('user and session are decided together: a refusal by one consumes nothing of the other (contract/limits#what-counts)', async () => {
      const { admit } = await opened.limiter({ userPerMinute: 5, sessionPerMinute: 2 });
      await admit('a', 1, 'ses_1');
      await admit('a', 1, 'ses_1');
      expect(await admit('a', 1, 'ses_1')).toMatchObject({ admitted: false, limit: 2, remaining: 0 });
      expect(await admit('a', 1, 'ses_2')).toMatchObject({ admitted: true, limit: 2, remaining: 1 });
      expect(await admit('a', 1)).toMatchObject({ admitted: true, limit: 5, remaining: 1 });
    });

    test('users and sessions are never confused, regardless of their characters', async () => {
      const { admit } = await opened.limiter({ userPerMinute: 1, sessionPerMinute: 1 });
      const users = ['a', 'a b', 'a:b', '{a}', '}a', 'a}', '%7Da', 'a\u0000b', 'ünï😀', '', '{}', ' a', 'a\r\nb'];
      for (const user of users) expect(await admit(user, 1)).toMatchObject({ admitted: true });
      for (const user of users) expect(await admit(user, 1)).toMatchObject({ admitted: false });
    });

    test('another user who knows a session id cannot spend its limit (contract/flow-apps)', async () => {
      const { admit } = await opened.limiter({ userPerMinute: 100, sessionPerMinute: 1 });
      expect(await admit('stranger', 1, 'ses_1')).toMatchObject({ admitted: true });
      expect(await admit('owner', 1, 'ses_1')).toMatchObject({ admitted: true });
      // A path may contain any text as a session id.
      const pairs = ['b c|ses_1', 'c|ses_1 b', 'b|c ses_1', 'b:c|ses_1', 'b|c:ses_1', '1 b|ses_1', '3 1 b|ses_1'];
      for (const pair of pairs) {
        const [user = '', session = ''] = pair.split('|');
        expect(await admit(user, 1, session)).toMatchObject({ admitted: true });
      }
    });

    test('large batches are counted exactly: a limit above 65,535 fills and empties', async () => {
      const { admit } = await opened.limiter({ userPerMinute: 200_000, sessionPerMinute: 9 });
      for (let at = 0; at < 20; at++) expect(await admit('a', 10_000)).toMatchObject({ admitted: true });
      expect(await admit('a', 1)).toMatchObject({ admitted: false, remaining: 0, retryAfterMs: 60_000 });
      await opened.advance(60_000);
      expect(await admit('a', 200_000)).toMatchObject({ admitted: true, remaining: 0 });
    });

    test('the limiter agrees with a plain log of all admitted times over random histories, headers included', async () => {
      await fc.assert(
        fc.asyncProperty(
          admissionHistories(80),
          fc.integer({ min: 5, max: 12 }),
          fc.integer({ min: 5, max: 8 }),
          async (history, userPerMinute, sessionPerMinute) => {
            const { admit } = await opened.limiter({ userPerMinute, sessionPerMinute });
            await agreesWithPlainLog(opened, admit, history, { userPerMinute, sessionPerMinute });
          },
        ),
        { numRuns },
      );
    });
  });
}

async function agreesWithPlainLog(
  { now, advance }: OpenedLimits,
  admit: (userId: string, cost: number, sessionId?: string) => Admission | Promise<Admission>,
  history: readonly AdmissionStep[],
  { userPerMinute, sessionPerMinute }: Limits,
): Promise<void> {
  const times = new Map<string, number[]>();
  const counted = (name: string) => (times.get(name) ?? []).filter((at) => now() - at < 60_000);
  for (const { waitMs, user, cost, session } of history) {
    await advance(waitMs);
    const demands = [
      { name: user, limit: userPerMinute },
      ...(session === undefined ? [] : [{ name: `${session} ${user}`, limit: sessionPerMinute }]),
    ];
    const fits = () => demands.every(({ name, limit }) => counted(name).length + cost <= limit);
    const expected = fits();
    const admission = await admit(user, cost, session);
    expect(admission.admitted).toBe(expected);
    if (expected)
      for (const { name } of demands) times.set(name, [...counted(name), ...new Array<number>(cost).fill(now())]);
    const candidates = demands.map(({ name, limit }) => ({
      limit,
      remaining: limit - counted(name).length,
      resetAtMs: (counted(name)[0] ?? now() - 60_000) + 60_000,
    }));
    const { limit, remaining, resetAtMs } = admission;
    expect(candidates).toContainEqual({ limit, remaining, resetAtMs });
    if (expected) expect(remaining).toBe(Math.min(...candidates.map((one) => one.remaining)));
    else {
      expect(admission.retryAfterMs).toBeGreaterThan(0);
      await advance(admission.retryAfterMs - 1);
      expect(fits()).toBe(false);
      await advance(1);
      expect(fits()).toBe(true);
    }
  }
}
