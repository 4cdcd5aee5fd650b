/** The guarantees of `UsageStore` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Lease, LeaseStore } from '@flowgate/sql/coordination/lease-store';
import { binCount } from './duration-bins.ts';
import { seriesIdOf, type UsageSeries } from './usage-series.ts';
import type { RollUpPlace, StoredSeries, UsageLevel, UsagePoint, UsageQuestion, UsageStore } from './usage-store.ts';

export type OpenedUsage = {
  readonly store: UsageStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: UsageStore;
  readonly leases: LeaseStore;
  readonly close: () => Promise<void>;
};

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const bounds = { sums: 1_000, points: 100_000 };
/** The beginning of a day. */
export const dayMs = Date.parse('2026-11-20T00:00:00Z');

export function usageSeries(more: Partial<UsageSeries> = {}): StoredSeries {
  const labels = { userId: 'alice', keyId: 'token', surface: 'rpc', network: 'ethereum/dev', app: 'none' } as const;
  const series: UsageSeries = { ...labels, method: 'eth_call', outcome: 'ok', ...more };
  return { ...series, seriesId: seriesIdOf(series) };
}

export function usagePoint(series: StoredSeries, atMs: number, requests: number, writer = 'one', bin = 10): UsagePoint {
  const bins = Array.from({ length: binCount }, (_, at) => (at === bin ? requests : 0));
  return { pointId: `${series.seriesId}:${atMs / minute}:${writer}`, seriesId: series.seriesId, atMs, requests, bins };
}

export function usageStoreContract(engine: string, open: () => Promise<OpenedUsage>): void {
  describe(`usage store on ${engine}`, () => {
    let opened: OpenedUsage;
    let store: UsageStore;
    let lease: Lease;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      const attempt = await opened.leases.acquire('usage', 'one', 60_000);
      if (!attempt.acquired) throw new Error('the lease was acquired');
      lease = attempt.lease;
    });
    afterEach(() => opened.close());

    const calls = usageSeries();
    const asked = (more: Partial<UsageQuestion> = {}): UsageQuestion => ({
      ...{ bucket: 'minute', fromMs: dayMs, toMs: dayMs + day, by: 'total' },
      ...more,
    });
    const read = async (more: Partial<UsageQuestion> = {}, by = store) => {
      const answer = await by.read(asked(more), bounds);
      if (answer.kind !== 'sums') throw new Error(answer.kind);
      return answer.sums;
    };
    const requests = async (more: Partial<UsageQuestion> = {}, by = store) =>
      (await read(more, by)).map((sum) => [(sum.atMs - dayMs) / minute, sum.by, sum.requests]);
    const rollUp = async (from: 'minute' | 'hour', beforeMs: number, by = store, fence = lease) => {
      let pieces = 0;
      let place: RollUpPlace | undefined;
      do {
        place = await by.rollUp(from, beforeMs, place, fence);
        pieces += 1;
      } while (place !== undefined);
      return pieces - 1;
    };
    const everywhere = async (by = store) => {
      const sums = await Promise.all((['minute', 'hour', 'day'] as const).map((bucket) => read({ bucket }, by)));
      return sums.map((each) => each.reduce((sum, { requests: more }) => sum + more, 0));
    };

    test('written points are read over any connection, added up over gateways, in each bucket', async () => {
      await store.write(
        [calls],
        [usagePoint(calls, dayMs, 2, 'one'), usagePoint(calls, dayMs + minute, 3, 'one')],
        dayMs,
      );
      await opened.other.write([calls], [usagePoint(calls, dayMs, 5, 'two', 12)], dayMs);
      for (const by of [store, opened.other]) {
        expect(await requests({}, by)).toEqual([
          [0, '', 7],
          [1, '', 3],
        ]);
        expect(await requests({ bucket: 'hour' }, by)).toEqual([[0, '', 10]]);
        expect(await requests({ bucket: 'day' }, by)).toEqual([[0, '', 10]]);
      }
      const [first] = await read();
      expect([first?.bins[10], first?.bins[12], first?.bins[11]]).toEqual([2, 5, 0]);
    });

    test('a repeated write, or a late older state of a point, changes nothing', async () => {
      const [older, newer] = [usagePoint(calls, dayMs, 2), usagePoint(calls, dayMs, 5)];
      for (const point of [older, older, newer, newer]) expect(await store.write([calls], [point], dayMs)).toEqual([]);
      expect(await store.write([], [older], dayMs)).toEqual([older.pointId]);
      expect(await requests()).toEqual([[0, '', 5]]);
      expect((await read())[0]?.bins[10]).toBe(5);
      expect((await store.stored([older.pointId, 'none'])).get(older.pointId)).toMatchObject({ requests: 5 });
    });

    test('rows are grouped by each label, and filtered by user, key and network', async () => {
      const [failed, limited] = [usageSeries({ outcome: 'failed' }), usageSeries({ outcome: 'limited', keyId: 'k1' })];
      const bobs = usageSeries({ userId: 'bob', network: 'ethereum/other', method: 'eth_chainId', outcome: 'cached' });
      const app = usageSeries({ surface: 'flow', network: 'none', app: 'acme/shop', outcome: 'refused' });
      const all = [calls, failed, limited, bobs, app];
      await store.write(
        all,
        all.map((series, at) => usagePoint(series, dayMs, at + 1)),
        dayMs,
      );
      const by = async (label: UsageQuestion['by'], more = {}) =>
        Object.fromEntries((await read({ by: label, ...more })).map((sum) => [sum.by, sum.requests]));
      expect(await by('user')).toEqual({ alice: 11, bob: 4 });
      expect(await by('key')).toEqual({ token: 12, k1: 3 });
      expect(await by('surface')).toEqual({ rpc: 10, flow: 5 });
      expect(await by('network')).toEqual({ 'ethereum/dev': 6, 'ethereum/other': 4, none: 5 });
      expect(await by('method')).toEqual({ eth_call: 11, eth_chainId: 4 });
      expect(await by('app')).toEqual({ none: 10, 'acme/shop': 5 });
      expect(await by('outcome')).toEqual({ ok: 1, failed: 2, limited: 3, cached: 4, refused: 5 });
      expect(await by('user', { userId: 'bob' })).toEqual({ bob: 4 });
      expect(await by('outcome', { keyId: 'k1' })).toEqual({ limited: 3 });
      expect(await by('user', { network: 'ethereum/dev' })).toEqual({ alice: 6 });
      expect(await by('call', { userId: 'alice' })).toEqual({
        'rpc token ethereum/dev eth_call': 3,
        'rpc k1 ethereum/dev eth_call': 3,
        'flow token none eth_call': 5,
      });
      const [total] = await read();
      expect([total?.requests, total?.byOutcome]).toEqual([15, { failed: 2, limited: 3, cached: 4, refused: 5 }]);
    });

    test('a folded answer has one sum for each label over all buckets, also of hours that are rolled up in part', async () => {
      await store.write([calls], [usagePoint(calls, dayMs, 1), usagePoint(calls, dayMs + 2 * hour, 2)], dayMs);
      expect(await requests({ isFolded: true, by: 'method' })).toEqual([[0, 'eth_call', 3]]);
      await rollUp('minute', dayMs + hour);
      expect(await requests({ isFolded: true, by: 'method', bucket: 'hour' })).toEqual([[0, 'eth_call', 3]]);
    });

    test('only buckets of the requested time are returned, oldest first, up to the limit', async () => {
      const at = [3, 1, 2, 0].map((nth) => usagePoint(calls, dayMs + nth * minute, nth + 1));
      await store.write([calls], at, dayMs);
      expect(await requests({ fromMs: dayMs + minute, toMs: dayMs + 3 * minute })).toEqual([
        [1, '', 2],
        [2, '', 3],
      ]);
      const answer = await store.read(asked(), { ...bounds, sums: 2 });
      expect(answer.kind === 'sums' ? answer.sums.map((sum) => sum.requests) : answer).toEqual([1, 2, 3]);
      expect(await store.read(asked(), { ...bounds, points: 3 })).toEqual({ kind: 'too-many-points' });
    });

    test('minutes are rolled up into hours and hours into days, and each request is reported once at any time', async () => {
      const points = Array.from({ length: 150 }, (_, nth) =>
        usagePoint(calls, dayMs + nth * minute, 1, 'one', nth % 3),
      );
      await store.write([calls], points, dayMs);
      expect(await everywhere()).toEqual([150, 150, 150]);
      expect(await rollUp('minute', dayMs + 70 * minute)).toBe(1);
      expect(await everywhere()).toEqual([150, 150, 150]);
      expect(await requests({ bucket: 'hour' })).toEqual([
        [0, '', 60],
        [60, '', 60],
        [120, '', 30],
      ]);
      expect(await rollUp('hour', dayMs + hour + 1)).toBe(1);
      expect(await everywhere()).toEqual([150, 150, 150]);
      await rollUp('minute', dayMs + day);
      expect(await everywhere()).toEqual([150, 150, 150]);
      await rollUp('hour', dayMs + day);
      expect(await everywhere(opened.other)).toEqual([150, 150, 150]);
      expect((await read({ bucket: 'day' }))[0]?.bins.slice(0, 4)).toEqual([50, 50, 50, 0]);
      expect(await rollUp('minute', dayMs + day)).toBe(0);
    });

    test('a rolled-up point does not change and is reported to its writer; later requests are a separate point', async () => {
      await store.write([calls], [usagePoint(calls, dayMs, 4)], dayMs);
      await rollUp('minute', dayMs + hour);
      const grown = usagePoint(calls, dayMs, 9);
      expect(await store.write([], [grown], dayMs)).toEqual([grown.pointId]);
      expect(await everywhere()).toEqual([4, 4, 4]);
      await store.write([], [usagePoint(calls, dayMs, 5, 'one:rest')], dayMs);
      expect(await everywhere()).toEqual([9, 9, 9]);
      await rollUp('hour', dayMs + day);
      await rollUp('minute', dayMs + hour);
      await rollUp('hour', dayMs + day);
      expect(await everywhere()).toEqual([9, 9, 9]);
    });

    test('two concurrent roll-ups add nothing twice, and none is done without the lease', async () => {
      const points = Array.from({ length: 200 }, (_, nth) =>
        usagePoint(calls, dayMs + (nth % 20) * minute, 1, `w${nth}`),
      );
      await store.write([calls], points, dayMs);
      await Promise.all([
        ...[store, opened.other].flatMap((by) => [rollUp('minute', dayMs + hour, by), rollUp('hour', dayMs + day, by)]),
        store.write([], points, dayMs),
      ]);
      expect(await everywhere()).toEqual([200, 200, 200]);
      await store.write([], [usagePoint(calls, dayMs, 1, 'late')], dayMs);
      await opened.leases.release(lease);
      await store.rollUp('minute', dayMs + hour, undefined, lease);
      expect(await store.removePoints('minute', dayMs + day, 1_000)).toBe(200);
      expect(await everywhere()).toEqual([1, 201, 201]);
    });

    test('only rolled-up points are removed, up to the limit at a time', async () => {
      const points = Array.from({ length: 10 }, (_, nth) => usagePoint(calls, dayMs + nth * minute, 1));
      await store.write([calls], points, dayMs);
      expect(await store.removePoints('minute', dayMs + day, 100)).toBe(0);
      await rollUp('minute', dayMs + 6 * minute);
      expect(await store.removePoints('minute', dayMs + 4 * minute, 3)).toBe(3);
      expect(await requests()).toEqual(Array.from({ length: 7 }, (_, nth) => [nth + 3, '', 1]));
      expect(await store.removePoints('minute', dayMs + day, 100)).toBe(3);
      expect(await requests({ bucket: 'hour' })).toEqual([[0, '', 10]]);
      await rollUp('hour', dayMs + day);
      expect(await store.removePoints('hour', dayMs + day, 100)).toBe(1);
      expect(await requests({ bucket: 'day' })).toEqual([[0, '', 10]]);
      expect(await store.removePoints('day', dayMs + day, 100)).toBe(1);
      expect(await requests({ bucket: 'day' })).toEqual([[0, '', 4]]);
    });

    test('a series is removed when it has no points and was not written for long', async () => {
      const [used, unused, fresh] = ['a', 'b', 'c'].map((method) => usageSeries({ method }));
      if (used === undefined || unused === undefined || fresh === undefined)
        throw new Error('three series were created');
      await store.write([used, unused], [usagePoint(used, dayMs, 1)], dayMs);
      await store.write([fresh], [], dayMs);
      await store.write([fresh], [], dayMs + day);
      await store.write([fresh], [], dayMs - day);
      expect(await store.removeSeries(dayMs, 100)).toBe(0);
      expect(await store.removeSeries(dayMs + 1, 100)).toBe(1);
      expect(await store.removeSeries(dayMs + 1, 100)).toBe(0);
      expect(await requests()).toEqual([[0, '', 1]]);
    });

    test('usage beyond one statement is added up in parts, also of one bucket, and each request is reported once', async () => {
      const many = Array.from({ length: 200 }, (_, nth) => usageSeries({ method: `m${nth}`, userId: `u${nth % 2}` }));
      const writers = Array.from({ length: 21 }, (_, nth) => `w${nth}`);
      for (const writer of writers)
        for (const at of [0, 1])
          await store.write(
            writer === 'w0' ? many : [],
            many.map((series) => usagePoint(series, dayMs + at * minute, 1, writer)),
            dayMs,
          );
      expect(await requests()).toEqual([
        [0, '', 4_200],
        [1, '', 4_200],
      ]);
      expect(await everywhere()).toEqual([8_400, 8_400, 8_400]);
      expect((await read({ bucket: 'hour' }))[0]?.bins[10]).toBe(8_400);
      expect(await requests({ by: 'user', bucket: 'day' })).toEqual([
        [0, 'u0', 4_200],
        [0, 'u1', 4_200],
      ]);
    });

    test('each request of a user with more series than one statement reads is reported once', async () => {
      const many = Array.from({ length: 2_100 }, (_, nth) => usageSeries({ method: `m${nth}`, userId: 'mallory' }));
      const of = (nth: number) => many.slice(nth, nth + 300);
      for (let nth = 0; nth < many.length; nth += 300)
        await store.write(
          of(nth),
          of(nth).map((series) => usagePoint(series, dayMs, 1)),
          dayMs,
        );
      await store.write([calls], [usagePoint(calls, dayMs, 1)], dayMs);
      expect(await requests({ userId: 'mallory' })).toEqual([[0, '', 2_100]]);
      expect(await requests({ userId: 'mallory', bucket: 'day' })).toEqual([[0, '', 2_100]]);
      expect(await requests()).toEqual([[0, '', 2_101]]);
    });

    test('a pass covers all series in pieces of any content', async () => {
      const many = Array.from({ length: 50 }, (_, nth) => usageSeries({ method: `m${nth}` }));
      for (let at = 0; at < 50; at++)
        await store.write(
          at === 0 ? many : [],
          many.map((series) => usagePoint(series, dayMs + at * minute, 1)),
          dayMs,
        );
      expect(await rollUp('minute', dayMs + 45 * minute)).toBe(2);
      expect(await everywhere()).toEqual([2_500, 2_500, 2_500]);
      expect((await read({ bucket: 'hour', by: 'method' })).length).toBe(50);
      const levels: readonly UsageLevel[] = ['minute', 'hour'];
      expect(await Promise.all(levels.map((level) => store.removePoints(level, dayMs + day, 10_000)))).toEqual([
        2_250, 0,
      ]);
    });
  });
}
