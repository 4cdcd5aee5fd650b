import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { type FaultProxy, startFaultProxy } from '@flowgate/devkit/fault-proxy';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { until } from '@flowgate/testing/until';
import type { Admission } from '../api/rate-limiter.ts';
import { createClusterRateLimiter } from './cluster-rate-limit.ts';
import { createRateLimiter } from './rate-limit.ts';
import { createRedisAdmissionStore, type RedisAdmissionStore } from './redis-admission-store.ts';

let redis: TestRedis;
let proxy: FaultProxy;
const endings: (() => void)[] = [];
let lines: string[] = [];

const limits = { userPerMinute: 10, sessionPerMinute: 5 };
const note = (event: string, fields: object = {}) => {
  lines.push(`${event} ${JSON.stringify(fields)}`);
};

/** The limits of a gateway, by default through the proxy. */
async function gateway(url = `redis://127.0.0.1:${proxy.port}`) {
  const store = createRedisAdmissionStore({ ...limits, url, clock: systemClock, log: { info: note, warn: note } });
  endings.push(() => store.close());
  await store.tried;
  const node = createRateLimiter({ ...limits, clock: systemClock });
  return { store, limiter: createClusterRateLimiter({ store, node, clock: systemClock }) };
}

const isThere = (store: RedisAdmissionStore) => until(() => store.epoch() > 0);
const isUnavailable = (store: RedisAdmissionStore) => until(() => store.epoch() === 0);

async function admitted(pending: (Admission | Promise<Admission>)[]): Promise<number> {
  return (await Promise.all(pending)).filter((admission) => admission.admitted).length;
}

const many = (count: number, admit: () => Admission | Promise<Admission>) => Array.from({ length: count }, admit);

describe.skipIf(redisMissing !== undefined)('limits while Redis fails', () => {
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startFaultProxy(redis.port, { keep: true });
    lines = [];
  });
  afterEach(async () => {
    for (const end of endings.splice(0)) end();
    proxy.close();
    await redis.stop();
  });

  test('Redis killed and started again: each node decides alone, then all decide together again, without a restart (contract/limits#shared-counters)', async () => {
    const { store, limiter } = await gateway();
    expect(await limiter.admit('a', 4)).toMatchObject({ admitted: true, remaining: 6 });
    await redis.kill();
    expect(await admitted(many(20, () => limiter.admit('a', 1)))).toBe(6);
    await isUnavailable(store);
    expect(limiter.admit('b', 1)).not.toBeInstanceOf(Promise);
    await redis.start();
    await isThere(store);
    const second = await gateway();
    expect(await limiter.admit('c', 6)).toMatchObject({ admitted: true });
    expect(await second.limiter.admit('c', 5)).toMatchObject({ admitted: false, remaining: 4 });
    // Redis restarted empty, but this node remembers what it admitted.
    expect(await limiter.admit('a', 1)).toMatchObject({ admitted: false });
  });

  test('Redis paused: calls in flight are decided by this node in bounded time, later calls do not wait, and Redis is used again afterwards', async () => {
    const { store, limiter } = await gateway(redis.url);
    redis.pause();
    const startedMs = systemClock.monotonic();
    expect(await admitted(many(50, () => limiter.admit('a', 1)))).toBe(10);
    expect(systemClock.monotonic() - startedMs).toBeLessThan(2_000);
    expect(store.epoch()).toBe(0);
    expect(limiter.admit('b', 1)).not.toBeInstanceOf(Promise);
    redis.resume();
    await isThere(store);
  });

  test('Redis slower than the time-out: unavailable until it is fast enough again, and no call waits meanwhile', async () => {
    const { store, limiter } = await gateway();
    proxy.set({ kind: 'latency', ms: 150 });
    expect(await limiter.admit('a', 1)).toMatchObject({ admitted: true, remaining: 9 });
    expect(store.epoch()).toBe(0);
    const before = proxy.accepted();
    await until(() => proxy.accepted() > before + 1);
    expect(limiter.admit('a', 1)).not.toBeInstanceOf(Promise);
    proxy.set({ kind: 'none' });
    await isThere(store);
    expect(limiter.admit('a', 1)).toBeInstanceOf(Promise);
  });

  for (const kind of ['blackhole', 'reset', 'half-open'] as const)
    test(`${kind}: this node decides, and Redis is used again afterwards`, async () => {
      const { store, limiter } = await gateway();
      if (kind === 'half-open') {
        proxy.set({ kind: 'reset' });
        proxy.halfOpen();
      } else {
        proxy.set({ kind });
        if (kind === 'reset') proxy.resetAll();
      }
      expect(await admitted(many(30, () => limiter.admit('a', 1)))).toBe(10);
      await isUnavailable(store);
      expect(limiter.admit('b', 1)).not.toBeInstanceOf(Promise);
      proxy.set({ kind: 'none' });
      await isThere(store);
      expect(await limiter.admit('c', 10)).toMatchObject({ admitted: true, remaining: 0 });
    });

  test('lost replies: each request is sent once, counted once, and never sent again after the reconnection', async () => {
    const { store, limiter } = await gateway();
    proxy.set({ kind: 'drop-replies' });
    expect(await admitted(many(7, () => limiter.admit('a', 1)))).toBe(7);
    proxy.set({ kind: 'none' });
    await isThere(store);
    expect(proxy.requests().split('EVALSHA').length - 1).toBe(7);
    const other = await gateway(redis.url);
    // Redis counted these requests although the replies were lost, so the limit is never exceeded.
    expect(await other.limiter.admit('a', 4)).toMatchObject({ admitted: false, remaining: 3 });
    expect(await other.limiter.admit('a', 3)).toMatchObject({ admitted: true, remaining: 0 });
  });

  test('Redis absent at the start: limits apply from the first request, and Redis is used when it is available', async () => {
    await redis.kill();
    const { store, limiter } = await gateway(redis.url);
    expect(await admitted(many(20, () => limiter.admit('a', 1)))).toBe(10);
    await redis.start();
    await isThere(store);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['redis.unavailable', 'redis.ready']);
  });

  test('a Redis that refuses to count is unavailable until it counts again: a replica, full memory, too few replicas', async () => {
    const { store, limiter } = await gateway(redis.url);
    const refusals = [
      { begin: ['REPLICAOF', '127.0.0.1', '1'], end: ['REPLICAOF', 'NO', 'ONE'], word: 'READONLY' },
      { begin: ['CONFIG', 'SET', 'maxmemory', '1'], end: ['CONFIG', 'SET', 'maxmemory', '0'], word: 'OOM' },
      {
        begin: ['CONFIG', 'SET', 'min-replicas-to-write', '1'],
        end: ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
        word: 'NOREPLICAS',
      },
    ];
    for (const [at, { begin, end, word }] of refusals.entries()) {
      await redis.cli(...begin);
      expect(await limiter.admit(`user-${at}`, 1)).toMatchObject({ admitted: true, remaining: 9 });
      expect(store.epoch()).toBe(0);
      expect(lines.at(-1)).toContain(word);
      await redis.cli(...end);
      await isThere(store);
    }
  });

  test('a wrong password, a missing password and a wrong database number are reported at the start, without the secret', async () => {
    await redis.cli('CONFIG', 'SET', 'requirepass', 'right-secret');
    const address = `127.0.0.1:${redis.port}`;
    const cases = [
      { url: `redis://:wrong-secret@${address}`, says: 'WRONGPASS' },
      { url: `redis://${address}`, says: 'NOAUTH' },
      { url: `redis://:right-secret@${address}/99`, says: 'DB index is out of range' },
      { url: 'redis://127.0.0.1:1', says: 'refused' },
    ];
    for (const { url, says } of cases) {
      lines = [];
      const { store } = await gateway(url);
      expect(store.epoch()).toBe(0);
      expect(lines[0]).toContain('redis.unavailable');
      expect(lines[0]).toContain(says);
      expect(lines[0]).not.toContain('secret');
    }
    const { store } = await gateway(`redis://:right-secret@${address}/7`);
    expect(store.epoch()).toBe(1);
  });

  test('a Redis that may evict counters is reported once, with the remedy (docs/decisions/0020)', async () => {
    await redis.cli('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const { store } = await gateway();
    proxy.resetAll();
    await until(() => store.epoch() > 1);
    expect(lines.filter((line) => line.startsWith('redis.evicts'))).toHaveLength(1);
  });
});
