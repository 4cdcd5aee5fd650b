import { describe, expect, test } from 'bun:test';
import { maintenanceNotice } from './maintenance-notice.ts';
import type { MaintenanceRecord } from './maintenance-store.ts';
import { upcomingOf } from './upcoming-maintenance.ts';

const nowMs = Date.parse('2026-11-23T10:00:00Z');
const minuteMs = 60_000;
const reported = { message: 'The gateway is under maintenance.', retryAfterSeconds: 60 };
const refused = (more: Partial<MaintenanceRecord>) =>
  maintenanceNotice({ active: true, retryAfterSeconds: 60, ...more }, nowMs);

test('nothing is refused before maintenance is set and after it has ended (contract/administration#maintenance)', () => {
  expect(maintenanceNotice(undefined, nowMs)).toBeUndefined();
  expect(refused({ active: false, surfaces: ['rpc'], networks: ['a/b'] })).toBeUndefined();
});

test('surfaces and networks have the meaning that the contract states (contract/administration#maintenance)', () => {
  expect(refused({})).toEqual({ ...reported, rpc: 'all', rest: true, flow: true });
  expect(refused({ surfaces: ['rest'] })).toEqual({ ...reported, rpc: undefined, rest: true, flow: false });
  expect(refused({ surfaces: ['rpc', 'flow'] })).toEqual({ ...reported, rpc: 'all', rest: false, flow: true });
  expect(refused({ networks: ['a/b'] })).toEqual({ ...reported, rpc: new Set(['a/b']), rest: false, flow: false });
  expect(refused({ surfaces: ['rpc', 'rest'], networks: ['a/b'] })).toEqual({
    ...reported,
    rpc: new Set(['a/b']),
    rest: true,
    flow: false,
  });
  expect(refused({ surfaces: ['flow'], networks: ['a/b'] })).toEqual({
    ...reported,
    rpc: undefined,
    rest: false,
    flow: true,
  });
  expect(refused({ message: 'Back soon.', retryAfterSeconds: 5 })).toMatchObject({
    message: 'Back soon.',
    retryAfterSeconds: 5,
  });
});

describe('planned maintenance (contract/administration#planned-maintenance)', () => {
  test('it begins at startsAt and ends at endsAt', () => {
    const isRefused = (startsMs: number, endsMs: number) =>
      refused({ startsAtMs: nowMs + startsMs, endsAtMs: nowMs + endsMs }) !== undefined;
    expect([isRefused(1, 10), isRefused(0, 10), isRefused(-5, 1), isRefused(-5, 0)]).toEqual([
      ...[false, true, true, false],
    ]);
    expect(refused({ endsAtMs: nowMs })).toBeUndefined();
    expect(refused({ startsAtMs: nowMs })).toBeDefined();
  });

  test('it is announced noticeMinutes before it begins, and no longer once it has begun', () => {
    const record = (startsMs: number, more: Partial<MaintenanceRecord> = {}): MaintenanceRecord => ({
      ...{ active: true, retryAfterSeconds: 60, startsAtMs: nowMs + startsMs, noticeMinutes: 10 },
      ...more,
    });
    const message = 'Back soon.';
    expect(upcomingOf(record(10 * minuteMs, { message, endsAtMs: nowMs + 20 * minuteMs }), nowMs)).toEqual({
      ...{ startsAt: '2026-11-23T10:10:00.000Z', endsAt: '2026-11-23T10:20:00.000Z', message },
    });
    expect(upcomingOf(record(10 * minuteMs + 1), nowMs)).toEqual({});
    expect(upcomingOf(record(0), nowMs)).toEqual({});
    expect(upcomingOf(record(minuteMs, { active: false }), nowMs)).toEqual({});
    expect(upcomingOf(undefined, nowMs)).toEqual({});
  });
});
