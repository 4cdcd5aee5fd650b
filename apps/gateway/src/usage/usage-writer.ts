/** Writes counts to the storage, every few seconds and at the end. Each request is stored once, also when writes fail (docs/decisions/0114). */

import type { Clock } from '@flowgate/base/clock';
import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Log } from '@flowgate/telemetry/log';
import type { Counter } from '@flowgate/telemetry/metrics/instruments';
import { binCount } from './duration-bins.ts';
import {
  type Cell,
  type CountedMinute,
  type CountedSeries,
  minuteMs,
  type UsageCounter,
  usageBounds,
} from './usage-counter.ts';
import type { StoredSeries, UsagePoint, UsageStore } from './usage-store.ts';

export type UsageWriterDeps = {
  readonly counter: UsageCounter;
  readonly store: Pick<UsageStore, 'write' | 'stored'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Identifies this process and this start, unlike every other one. */
  readonly writerId: string;
  /** For requests that could not be counted within the bounds. */
  readonly dropped?: Pick<Counter, 'add'> | undefined;
};

export type UsageWriter = {
  /** Writes everything counted before the call. False when the storage failed; the next flush writes the rest. Never rejects. */
  readonly flush: () => Promise<boolean>;
  /** Flushes every `intervalMs` until the returned function is called. */
  readonly start: (intervalMs: number) => () => void;
};

/** Points in one transaction: some milliseconds of the database's time. */
const pointsInOneWrite = 200;
/** While nothing can be written, minutes older than this are merged. */
const newestMinutes = 60;
/**
 * A minute that may be partly stored is discarded after this time: the stored part may have been deleted, so it could not be distinguished from what is
 * missing.
 */
const givenUpAfterMs = 47 * 3_600_000;
const dayMs = 86_400_000;

type Sent = { readonly cell: Cell; readonly requests: number; readonly point: UsagePoint };

export function createUsageWriter({ counter, store, clock, log, writerId, dropped }: UsageWriterDeps): UsageWriter {
  /** For each series, the day on which this process has written it. */
  let writtenSeries = new Map<string, number>();
  let tail: Promise<boolean> = Promise.resolve(true);
  let reportedDropped = 0;

  /** Returns whether a part of it was already rolled up, so that the rest must still be written. */
  async function writeSome(minute: CountedMinute, changed: readonly Cell[]): Promise<boolean> {
    const nowMs = clock.now();
    const today = Math.floor(nowMs / dayMs);
    // The same order everywhere, so that two gateways do not deadlock.
    const sent = changed
      .map((cell) => ({ cell, requests: cell.requests, point: pointOf(cell, minute, writerId) }))
      .sort(({ point: left }, { point: right }) => (left.pointId < right.pointId ? -1 : 1));
    const fresh = new Map<string, StoredSeries>();
    for (const { cell } of sent)
      if (writtenSeries.get(cell.series.seriesId) !== today)
        fresh.set(cell.series.seriesId, storedSeriesOf(cell.series));
    minute.isTried = true;
    const points = sent.map(({ point }) => point);
    const rolledUp = new Set(await store.write([...fresh.values()], points, nowMs));
    if (writtenSeries.size > usageBounds.waiting) writtenSeries = new Map();
    for (const seriesId of fresh.keys()) writtenSeries.set(seriesId, today);
    for (const { cell, requests, point } of sent) if (!rolledUp.has(point.pointId)) cell.stored = requests;
    if (rolledUp.size === 0) return false;
    await keepRolled(sent.filter(({ point }) => rolledUp.has(point.pointId)));
    return true;
  }

  /** Rolled up by a gateway whose clock is ahead, or while this one was unavailable. */
  async function keepRolled(sent: readonly Sent[]): Promise<void> {
    const stored = await store.stored(sent.map(({ point }) => point.pointId));
    for (const { cell, point } of sent) {
      const before = stored.get(point.pointId);
      cell.part += 1;
      if (before === undefined) continue;
      cell.rolled ??= { requests: 0, bins: new Uint32Array(binCount) };
      cell.rolled.requests += before.requests;
      for (let bin = 0; bin < binCount; bin++)
        cell.rolled.bins[bin] = (cell.rolled.bins[bin] ?? 0) + (before.bins[bin] ?? 0);
      cell.stored = cell.rolled.requests;
    }
  }

  async function writeMinute(minute: CountedMinute): Promise<void> {
    if (minute.isTried && minute.atMs < clock.now() - givenUpAfterMs) {
      for (const { requests, stored } of minute.cells) counter.dropped += requests - stored;
      counter.remove(minute);
      return;
    }
    const changed = minute.cells.filter(isChanged);
    for (let at = 0; at < changed.length; at += pointsInOneWrite) {
      const some = changed.slice(at, at + pointsInOneWrite);
      if (await writeSome(minute, some)) await writeSome(minute, some.filter(isChanged));
    }
    if (!counter.isCurrent(minute) && !minute.cells.some(isChanged)) counter.remove(minute);
  }

  async function flush(): Promise<boolean> {
    try {
      counter.turn();
      for (const minute of counter.minutes()) await writeMinute(minute);
      return true;
    } catch (error) {
      // The next flush retries.
      if (!(error instanceof Unavailable)) log.error('usage.failed', { reason: messageOf(error) });
      counter.merge(newestMinutes);
      return false;
    } finally {
      reportDropped();
    }
  }

  function reportDropped(): void {
    const requests = counter.dropped - reportedDropped;
    if (requests === 0) return;
    reportedDropped = counter.dropped;
    dropped?.add(requests);
    log.warn('usage.dropped', { requests });
  }

  const inTurn = () => {
    tail = tail.then(flush);
    return tail;
  };
  return {
    flush: inTurn,
    start(intervalMs) {
      let isFlushing = false;
      const timer = setInterval(() => {
        if (isFlushing) return;
        isFlushing = true;
        void inTurn().finally(() => {
          isFlushing = false;
        });
      }, intervalMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

function storedSeriesOf(series: CountedSeries): StoredSeries {
  const { seriesId, userId, keyId, surface, network, app, method, outcome } = series;
  return { seriesId, userId, keyId, surface, network, app, method, outcome };
}

function isChanged({ requests, stored }: Cell): boolean {
  return requests > stored;
}

function pointOf({ series, requests, bins, rolled, part }: Cell, minute: CountedMinute, writerId: string): UsagePoint {
  const { seriesId } = series;
  return {
    pointId: [seriesId, minute.atMs / minuteMs, writerId, minute.epoch, part].join(':'),
    seriesId,
    atMs: minute.atMs,
    requests: requests - (rolled?.requests ?? 0),
    bins: bins.map((count, bin) => count - (rolled?.bins[bin] ?? 0)),
  };
}
