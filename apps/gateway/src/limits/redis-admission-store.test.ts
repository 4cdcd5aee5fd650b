import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { RedisClient } from 'bun';
import type { Admission } from '../api/rate-limiter.ts';
import { admissionScript } from './admission-script.ts';
import { rateLimiterContract } from './rate-limiter.contract.ts';
import { createRedisAdmissionStore, type RedisAdmissionStore } from './redis-admission-store.ts';

let redis: TestRedis;
let administrator: RedisClient;
const opened: RedisAdmissionStore[] = [];
let namespaces = 0;

const quiet = { info: () => undefined, warn: () => undefined };

async function openStore(more: Partial<Parameters<typeof createRedisAdmissionStore>[0]> = {}) {
  const store = createRedisAdmissionStore({
    url: redis.url,
    clock: systemClock,
    log: quiet,
    callTimeoutMs: 5_000,
    userPerMinute: 50,
    sessionPerMinute: 20,
    ...more,
  });
  opened.push(store);
  await store.tried;
  return store;
}

/** The script with the time read from a key instead of Redis' own clock. */
const scriptOnTestClock = admissionScript.replace("redis.call('TIME')", "redis.call('HMGET', 'clock', 's', 'us')");

function createTestClock() {
  let atUs = 1_800_000_000_000_000;
  return {
    now: () => atUs / 1000,
    async setUs(us: number) {
      atUs = us;
      await administrator.send('HSET', ['clock', 's', String(Math.floor(us / 1e6)), 'us', String(us % 1e6)]);
    },
    async advance(ms: number) {
      await this.setUs(atUs + ms * 1000);
    },
  };
}

async function limiterOnTestClock(userPerMinute: number) {
  namespaces += 1;
  const clock = createTestClock();
  await clock.advance(0);
  const store = await openStore({ userPerMinute, namespace: `n${namespaces}`, script: scriptOnTestClock });
  return { clock, store };
}

describe.skipIf(redisMissing !== undefined)('Redis', () => {
  beforeAll(async () => {
    redis = await startRedis();
    administrator = new RedisClient(redis.url);
  });
  afterAll(async () => {
    administrator.close();
    await redis.stop();
  });
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
  });

  rateLimiterContract(
    'Redis',
    async () => {
      const clock = createTestClock();
      await clock.advance(0);
      return {
        limiter: async (limits) => {
          namespaces += 1;
          return openStore({ ...limits, namespace: `n${namespaces}`, script: scriptOnTestClock });
        },
        now: clock.now,
        advance: (ms) => clock.advance(ms),
        close: async () => undefined,
      };
    },
    40,
  );

  test('fractions of a millisecond are rounded so that no request leaves before its 60 s are over (contract/limits#shared-counters)', async () => {
    const { clock, store } = await limiterOnTestClock(1);
    const startUs = 1_800_000_000_000_999;
    await clock.setUs(startUs);
    expect(await store.admit('a', 1)).toMatchObject({ admitted: true });
    await clock.setUs(startUs + 59_999_999);
    const { admitted, retryAfterMs } = await store.admit('a', 1);
    expect(admitted).toBe(false);
    await clock.setUs(startUs + 59_999_999 + retryAfterMs * 1000);
    expect(await store.admit('a', 1)).toMatchObject({ admitted: true });
  });

  test('a Redis clock that is set back one hour admits no extra request and refuses no user for that hour', async () => {
    const { clock, store } = await limiterOnTestClock(3);
    await store.admit('a', 1);
    await clock.advance(30_000);
    await store.admit('a', 2);
    await clock.advance(-3_600_000);
    expect(await store.admit('a', 1)).toMatchObject({ admitted: false, remaining: 0, retryAfterMs: 60_000 });
    await clock.advance(59_999);
    expect(await store.admit('a', 1)).toMatchObject({ admitted: false, retryAfterMs: 1 });
    await clock.advance(1);
    expect(await store.admit('a', 3)).toMatchObject({ admitted: true, remaining: 0 });
  });

  test('three gateways with 200 concurrent requests each admit exactly the limit together, and again one window later', async () => {
    const windowMs = 400;
    const nodes = await Promise.all([1, 2, 3].map(() => openStore({ windowMs, namespace: 'burst' })));
    const history: { sentMs: number; answeredMs: number; admission: Admission }[] = [];
    const admit = async (store: RedisAdmissionStore) => {
      const sentMs = performance.now();
      const admission = await store.admit('a', 1);
      history.push({ sentMs, answeredMs: performance.now(), admission });
      return admission;
    };
    const burst = () => Promise.all(nodes.flatMap((node) => Array.from({ length: 200 }, () => admit(node))));
    const first = await burst();
    expect(first.filter(({ admitted }) => admitted)).toHaveLength(50);
    // Real time: the window of Redis' clock.
    await Bun.sleep(Math.max(...first.map(({ retryAfterMs }) => retryAfterMs)));
    expect((await burst()).filter(({ admitted }) => admitted)).toHaveLength(50);
    expect(maxWithin(history, windowMs)).toBe(50);
  });

  test('random traffic of three gateways never exceeds the limit in any window, and a request after Retry-After succeeds', async () => {
    const windowMs = 300;
    const nodes = await Promise.all([1, 2, 3].map(() => openStore({ windowMs, namespace: 'traffic' })));
    const history: { sentMs: number; answeredMs: number; admission: Admission }[] = [];
    const endMs = performance.now() + 1_500;
    const caller = async (node: RedisAdmissionStore, at: number) => {
      for (let round = 0; performance.now() < endMs; round++) {
        const sentMs = performance.now();
        const admission = await node.admit('a', 1);
        history.push({ sentMs, answeredMs: performance.now(), admission });
        // Real time: spreads the traffic over windows.
        await Bun.sleep((round * 7 + at * 3) % 11);
      }
    };
    await Promise.all(nodes.flatMap((node, at) => [caller(node, at), caller(node, at + 3)]));
    expect(history.filter(({ admission }) => admission.admitted).length).toBeGreaterThan(150);
    expect(maxWithin(history, windowMs)).toBeLessThanOrEqual(50);
    const [node] = nodes;
    for (let filled = 0; filled < 50; filled++) await node?.admit('a', 1);
    const refused = await node?.admit('a', 50);
    // Real time: the window of Redis' clock.
    await Bun.sleep(refused?.retryAfterMs ?? 0);
    expect(await node?.admit('a', 50)).toMatchObject({ admitted: true });
  });

  test('the checker of these histories detects one admission too many', () => {
    const admission = { admitted: true, limit: 1, remaining: 0, resetAtMs: 0, retryAfterMs: 0 };
    const at = (ms: number) => ({ sentMs: ms, answeredMs: ms + 1, admission });
    expect(maxWithin([at(0), at(98)], 100)).toBe(2);
    expect(maxWithin([at(0), at(100)], 100)).toBe(1);
  });

  test('nodes whose clocks differ by an hour share one limit and report the same reset (contract/limits#shared-counters)', async () => {
    const skewed = (ms: number) => ({
      now: () => systemClock.now() + ms,
      monotonic: () => systemClock.monotonic() + ms,
    });
    const [early, late] = [
      await openStore({ namespace: 'skew', clock: skewed(-3_600_000), userPerMinute: 2 }),
      await openStore({ namespace: 'skew', clock: skewed(3_600_000), userPerMinute: 2 }),
    ];
    const first = await early.admit('a', 1);
    expect(await late.admit('a', 1)).toMatchObject({ admitted: true, remaining: 0, resetAtMs: first.resetAtMs });
    expect(await early.admit('a', 1)).toMatchObject({ admitted: false });
    expect(Math.abs(first.resetAtMs - 60_000 - systemClock.now())).toBeLessThan(10_000);
  });

  test('keys expire on their own, and all keys of a user have the same hash tag', async () => {
    const store = await openStore({ namespace: 'gone', windowMs: 60_000 });
    await store.admit('}a', 1, 'ses_1');
    const keys = (await redis.cli('KEYS', 'gone:limit:*')).split('\n').sort();
    expect(keys).toEqual(['gone:limit:{%7Da}', 'gone:limit:{%7Da}:ses_1']);
    for (const key of keys) {
      const ttlMs = Number(await redis.cli('PTTL', key));
      expect(ttlMs).toBeGreaterThan(0);
      expect(ttlMs).toBeLessThanOrEqual(120_000);
    }
  });

  test('a script that Redis no longer knows is sent again and counts once', async () => {
    const store = await openStore({ namespace: 'forgot', userPerMinute: 3 });
    await redis.cli('SCRIPT', 'FLUSH');
    const admissions = await Promise.all([store.admit('a', 1), store.admit('a', 1)]);
    expect(admissions.map(({ remaining }) => remaining).sort()).toEqual([1, 2]);
    expect(await store.admit('a', 1)).toMatchObject({ admitted: true, remaining: 0 });
  });

  test('a lost key is a fresh window (docs/decisions/0020)', async () => {
    const store = await openStore({ namespace: 'lost', userPerMinute: 1 });
    await store.admit('a', 1);
    expect(await store.admit('a', 1)).toMatchObject({ admitted: false });
    await redis.cli('DEL', 'lost:limit:{a}');
    expect(await store.admit('a', 1)).toMatchObject({ admitted: true });
  });
});

/** The most admissions that were certainly within one window: from when the first was sent until the last was answered. */
function maxWithin(
  history: readonly { readonly sentMs: number; readonly answeredMs: number; readonly admission: Admission }[],
  windowMs: number,
): number {
  const admitted = history.filter(({ admission }) => admission.admitted);
  return Math.max(
    ...admitted.map(
      ({ sentMs }) => admitted.filter((other) => other.sentMs >= sentMs && other.answeredMs - sentMs < windowMs).length,
    ),
  );
}
