/** The marks that are derived from gateways' logs about their shared counters. */

import { expect, test } from 'bun:test';
import { lostCounters } from './lost-counters.ts';

const clock = { now: () => 1_000_000, monotonic: () => 100_000 };
const line = (monotonicMs: number, event: string, purpose?: string) =>
  JSON.stringify({ time: new Date(monotonicMs + 900_000).toISOString(), level: 'info', event, purpose });
const ready = (ms: number) => line(ms, 'redis.ready', 'limits');
const lost = (ms: number) => line(ms, 'redis.unavailable', 'limits');
const of = async (...logs: string[][]) => {
  const marks = await lostCounters([{ name: 'a', logs: async () => logs.map((lines) => lines.join('\n')) }], clock);
  expect(marks.every(({ kind, service }) => kind === 'counters-unavailable' && service === 'a')).toBe(true);
  return marks.map(({ fromMs, toMs }) => [fromMs + 5, toMs - 5]);
};

test('counters are unavailable from the start of a process, and from each loss, until the connection is ready', async () => {
  expect(await of([line(0, 'start'), ready(10), lost(500), line(600, 'request'), ready(700)])).toEqual([
    [0, 10],
    [500, 700],
  ]);
});

test('the counters of a killed process are unavailable until its successor is connected', async () => {
  expect(await of([line(0, 'start'), ready(10), lost(500), '{"time":"2026'], [line(900, 'start'), ready(950)])).toEqual(
    [
      [0, 10],
      [500, 950],
    ],
  );
});

test('a loss without an end continues; other connections do not affect limits', async () => {
  expect(await of([line(0, 'start'), ready(10), line(400, 'redis.unavailable', 'messages'), lost(500)])).toEqual([
    [0, 10],
    [500, Number.POSITIVE_INFINITY],
  ]);
});
