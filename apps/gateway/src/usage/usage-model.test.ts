/**
 * Compares counting, writing and rolling up with a naive log, over random histories of two gateways: lost and late answers, kills, clocks that are set,
 * roll-ups of incomplete hours (docs/decisions/0114). `USAGE_HISTORIES=1000 bun test usage-model` runs more of them.
 */

import { expect, test } from 'bun:test';
import { systemRandomBytes } from '@flowgate/base/random';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { createManualClock, type ManualClock } from '@flowgate/testing/manual-clock';
import { quietLog } from '@flowgate/testing/quiet-log';
import { type Chance, chanceFrom } from '@flowgate/testing/seeded-chance';
import { testRounds } from '@flowgate/testing/test-rounds';
import { onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { createSqlUsageStore } from './sql-usage-store.ts';
import { UsageCounter } from './usage-counter.ts';
import { seriesIdOf } from './usage-series.ts';
import type { RollUpPlace, UsageLevel, UsageStore } from './usage-store.ts';
import { createUsageWriter } from './usage-writer.ts';

const histories = testRounds({ short: 4, long: 12, variable: 'USAGE_HISTORIES' });
const [minuteMs, dayMs] = [60_000, 86_400_000];
const startMs = Date.parse('2026-11-20T08:00:00Z');
const methods = ['eth_call', 'eth_getLogs', 'eth_chainId'];

type Counts = Map<string, number>;

/** One process: a naive log of what it counted, and of what must be stored. */
class Gateway {
  readonly clock: ManualClock;
  readonly counter: UsageCounter;
  readonly flush: () => Promise<boolean>;
  /** By series, minute and epoch. */
  readonly counted: Counts = new Map();
  readonly stored: Counts = new Map();
  /** Writes that reach the database after their caller has timed out. */
  readonly late: (() => Promise<void>)[] = [];
  /** Whether writes fail from now on. */
  failing = 0;

  constructor(
    private readonly userId: string,
    name: string,
    private readonly store: UsageStore,
    wallMs: number,
    private readonly chance: Chance,
  ) {
    this.clock = createManualClock(wallMs);
    this.counter = new UsageCounter(this.clock);
    const { clock, counter } = this;
    const stored: UsageStore['stored'] = (ids) => store.stored(ids);
    const write: UsageStore['write'] = (series, points, nowMs) => this.#write(series, points, nowMs);
    const log = quietLog();
    this.flush = createUsageWriter({ counter, clock, log, writerId: name, store: { write, stored } }).flush;
  }

  call(): void {
    const { clock, chance, counter, userId } = this;
    const labels = { userId, keyId: 'token', surface: 'rpc', network: 'ethereum/dev', app: 'none' } as const;
    const method = methods[chance(methods.length)] ?? '';
    const outcome = chance(5) === 0 ? 'failed' : 'ok';
    const requests = 1 + chance(4);
    const series = { ...labels, method, outcome } as const;
    counter.count({ ...series, ms: chance(5_000) / 10, requests, nowMs: clock.monotonic() });
    const minute = counter.minutes().at(-1);
    const id = [seriesIdOf(series), (minute?.atMs ?? 0) / minuteMs, minute?.epoch].join(':');
    this.counted.set(id, (this.counted.get(id) ?? 0) + requests);
  }

  async #write(...[series, points, nowMs]: Parameters<UsageStore['write']>): Promise<readonly string[]> {
    const now = new Map(this.counted);
    const commit = async () => {
      const rolledUp = new Set(await this.store.write(series, points, nowMs));
      for (const { pointId } of points) {
        const [seriesId, minute, , epoch] = pointId.split(':');
        const id = [seriesId, minute, epoch].join(':');
        if (!rolledUp.has(pointId)) this.stored.set(id, Math.max(this.stored.get(id) ?? 0, now.get(id) ?? 0));
      }
      return [...rolledUp];
    };
    if (this.failing === 0) return commit();
    this.failing -= 1;
    const what = this.chance(3);
    if (what === 1) await commit();
    if (what === 2) this.late.push(async () => void (await commit()));
    throw new Unavailable('database', 'by the test');
  }
}

/** Asserts what each level reports, and that each request has a duration. */
async function reported(store: UsageStore, userId: string, buckets: readonly UsageLevel[]): Promise<readonly number[]> {
  const sums: number[] = [];
  for (const bucket of buckets) {
    const range = { fromMs: startMs - 3 * dayMs, toMs: startMs + 3 * dayMs };
    const answer = await store.read({ bucket, ...range, by: 'method', userId }, { sums: 5_000, points: 1_000_000 });
    if (answer.kind !== 'sums') throw new Error(answer.kind);
    const requests = answer.sums.reduce((all, each) => all + each.requests, 0);
    expect(answer.sums.reduce((all, { bins }) => all + bins.reduce((one, more) => one + more, 0), 0)).toBe(requests);
    sums.push(requests);
  }
  return sums;
}

async function history(seed: number, store: UsageStore, lease: Lease, engine: string): Promise<void> {
  const chance = chanceFrom(seed);
  const userId = `${engine} ${seed}`;
  const gone: Gateway[] = [];
  let names = 0;
  const open = (wallMs: number) => {
    names += 1;
    return new Gateway(userId, `g${names}`, store, wallMs, chance);
  };
  const gateways = [open(startMs), open(startMs + 7_000)];
  const everybody = () => [...gone, ...gateways];
  const mustBe = () =>
    everybody()
      .flatMap(({ stored }) => [...stored.values()])
      .reduce((sum, each) => sum + each, 0);
  const rollUp = async (from: 'minute' | 'hour', beforeMs: number) => {
    let place: RollUpPlace | undefined;
    do place = await store.rollUp(from, beforeMs, place, lease);
    while (place !== undefined);
  };
  const levels: readonly UsageLevel[] = ['minute', 'hour', 'day'];
  for (let step = 0; step < 60; step++) {
    const at = chance(gateways.length);
    const gateway = gateways[at];
    if (gateway === undefined) throw new Error('two gateways exist');
    for (let calls = chance(4); calls > 0; calls--) gateway.call();
    const what = chance(12);
    if (what < 4) await gateway.flush();
    else if (what < 6) for (const each of gateways) each.clock.advance(chance(40) * 1_000);
    else if (what === 6) gateway.failing = 1 + chance(3);
    else if (what === 7) gateway.clock.setWall(gateway.clock.now() + (chance(11) - 5) * 45_000);
    else if (what === 8) await rollUp('minute', gateway.clock.now() + (chance(5) - 3) * minuteMs);
    else if (what === 9) await rollUp('hour', startMs + dayMs);
    else if (what === 10) for (const late of gateway.late.splice(0)) await late();
    else if (chance(3) === 0) {
      gone.push(gateway);
      gateways[at] = open(gateway.clock.now() + 1_000);
    }
    if (step % 10 === 9)
      expect([seed, step, await reported(store, userId, levels)]).toEqual([seed, step, Array(3).fill(mustBe())]);
  }
  for (const gateway of gateways) {
    gateway.failing = 0;
    expect([seed, await gateway.flush(), await gateway.flush()]).toEqual([seed, true, true]);
    expect([seed, gateway.stored]).toEqual([seed, gateway.counted]);
  }
  for (const { late } of everybody()) for (const write of late.splice(0)) await write();
  expect([seed, await reported(store, userId, levels)]).toEqual([seed, Array(3).fill(mustBe())]);
  await rollUp('minute', startMs + dayMs);
  await rollUp('hour', startMs + dayMs);
  for (const level of ['minute', 'hour'] as const) await store.removePoints(level, startMs + dayMs, 100_000);
  expect([seed, await reported(store, userId, levels)]).toEqual([seed, [0, 0, mustBe()]]);
}

onEveryEngine((engine, open) => {
  test(`${histories} random histories: each written request is reported once, at every level (contract/usage#how-exact)`, async () => {
    const { database } = await open();
    const store = createSqlUsageStore(database, systemRandomBytes);
    const attempt = await createSqlLeaseStore(database).acquire('usage', 'model', 3_600_000);
    if (!attempt.acquired) throw new Error('the lease was acquired');
    for (let seed = 1; seed <= histories; seed++) await history(seed, store, attempt.lease, engine);
  }, 3_600_000);
});
