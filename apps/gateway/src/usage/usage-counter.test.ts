import { expect, test } from 'bun:test';
import { createManualClock, type ManualClock } from '@flowgate/testing/manual-clock';
import type { Used } from '../api/used.ts';
import { type UsageBounds, UsageCounter, usageBounds } from './usage-counter.ts';

const used = (clock: ManualClock, more: Partial<Used> = {}): Used => ({
  ...{ userId: 'alice', keyId: 'token', surface: 'rpc', network: 'ethereum/dev', app: 'none', method: 'eth_call' },
  ...{ outcome: 'ok', ms: 3, requests: 1, nowMs: clock.monotonic() },
  ...more,
});

function counting(bounds: Partial<UsageBounds> = {}) {
  const clock = createManualClock(1_800_000_000_000);
  const counter = new UsageCounter(clock, { ...usageBounds, ...bounds });
  const count = (more: Partial<Used> = {}) => counter.count(used(clock, more));
  const cells = () => counter.minutes().flatMap(({ cells: all }) => all);
  const requests = () => cells().reduce((sum, cell) => sum + cell.requests, 0);
  return { clock, counter, count, cells, requests };
}

test('requests with the same labels in one minute share a cell, others have cells of their own', () => {
  const { clock, count, counter, cells } = counting();
  count();
  count({ requests: 4 });
  count({ outcome: 'failed' });
  count({ keyId: 'k1' });
  count({ userId: 'bob' });
  expect(cells().map(({ requests }) => requests)).toEqual([5, 1, 1, 1]);
  clock.advance(60_000);
  count();
  count({ outcome: 'limited', ms: 1 });
  expect(counter.minutes().map(({ cells: each }) => each.length)).toEqual([4, 2]);
  expect(counter.waiting).toBe(6);
  expect(cells().map(({ bins }) => bins.reduce((sum, each) => sum + each, 0))).toEqual([5, 1, 1, 1, 1, 0]);
});

test('a minute ends by the wall clock, and a repeated minute of a clock that was set back has another epoch', () => {
  const { clock, counter, count } = counting();
  const at = () => counter.minutes().map(({ atMs, epoch }) => [(atMs - 1_800_000_000_000) / 60_000, epoch]);
  clock.advance(59_999);
  count();
  clock.advance(1);
  count();
  clock.setWall(1_800_000_000_000 + 30_000);
  counter.turn();
  count();
  clock.advance(60_000);
  count();
  clock.setWall(1_800_000_000_000 + 600_000);
  clock.advance(60_000);
  count();
  expect(at()).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
    [11, 1],
  ]);
});

test('a removed minute is not begun again under its old id', () => {
  const { counter, count } = counting();
  count();
  for (const minute of counter.minutes()) counter.remove(minute);
  count();
  expect(counter.minutes().map(({ epoch, cells }) => [epoch, cells.length])).toEqual([[1, 1]]);
  expect(counter.waiting).toBe(1);
});

test.each([1, 2, 4, 8])(
  '%d thousand label sets of one user take the memory of two hundred, and no request is missing',
  (n) => {
    const { counter, count, cells, requests } = counting();
    for (let nth = 0; nth < n * 1_000; nth++)
      count({ method: `m${nth}`, network: `n${nth % 7}/x`, keyId: `k${nth % 10}` });
    expect(requests()).toBe(n * 1_000);
    expect([cells().length, counter.waiting, counter.dropped]).toEqual([201, 201, 0]);
    const other = cells().find(({ series }) => series.method === 'other');
    expect([other?.series.keyId, other?.series.network, other?.requests]).toEqual(['other', 'other', n * 1_000 - 200]);
  },
);

test.each([1, 2, 4])('%d × 10,000 users take bounded memory, and earlier users are still counted', (n) => {
  const bounds = { ofUser: 200, inAll: 2_000, waiting: 6_000 };
  const { counter, count, cells, requests } = counting(bounds);
  count({ userId: 'first' });
  for (let user = 0; user < n * 10_000; user++)
    for (const outcome of ['ok', 'failed'] as const) count({ userId: `u${user}`, outcome });
  count({ userId: 'first' });
  expect(cells().length).toBeLessThanOrEqual(9_000);
  expect(requests() + counter.dropped).toBe(n * 20_000 + 2);
  expect(cells().find(({ series }) => series.userId === 'first')?.requests).toBe(2);
  expect(counter.waiting).toBe(cells().length);
});

test('while nothing can be written memory is bounded, minutes are merged, and no request is missing', () => {
  const { clock, counter, count, cells, requests } = counting();
  let sent = 0;
  for (let minute = 0; minute < 600; minute++) {
    for (const method of ['eth_call', 'eth_getLogs', 'eth_chainId']) {
      count({ method });
      sent += 1;
    }
    clock.advance(60_000);
    if (minute % 5 === 0) counter.merge(60);
  }
  counter.merge(60);
  expect(counter.minutes().length).toBeLessThanOrEqual(60 + 37);
  expect([cells().length, counter.waiting]).toEqual([counter.minutes().length * 3, counter.minutes().length * 3]);
  expect(requests()).toBe(sent);
});

test('minutes that may be partly stored are not merged', () => {
  const { clock, counter, count } = counting();
  for (let minute = 0; minute < 30; minute++) {
    count();
    clock.advance(60_000);
  }
  const [, , tried] = counter.minutes();
  if (tried === undefined) throw new Error('thirty minutes were counted');
  tried.isTried = true;
  counter.merge(5);
  expect(counter.minutes()).toContain(tried);
  expect(tried.cells.map(({ requests }) => requests)).toEqual([1]);
});

test('when even the users’ `other` cells exceed the bound, requests are counted as dropped', () => {
  const { counter, count, cells } = counting({ ofUser: 5, inAll: 10, waiting: 4 });
  for (let nth = 0; nth < 100; nth++) count({ userId: `u${nth}`, requests: 2 });
  expect(cells().length).toBe(6);
  expect(counter.dropped).toBe(200 - cells().length * 2);
});
