/** The tables of usage: series, and their counts by minute, hour and day. */

import { type Column, integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';

export const usageSeriesTable = table('usage_series', 'seriesId', {
  seriesId: text('series_id'),
  userId: text('user_id'),
  keyId: text('key_id'),
  surface: text('surface'),
  network: text('network'),
  app: text('app'),
  method: text('method'),
  outcome: text('outcome'),
  seenAtMs: timeMs('seen_at'),
});

/** As many as `binCount`; NULL for zero, which takes no space. */
export const binColumns: readonly string[] = Array.from(
  { length: 40 },
  (_, bin) => `bin_${String(bin).padStart(2, '0')}`,
);

const bins: Readonly<Record<string, Column<number, true>>> = Object.fromEntries(
  binColumns.map((name) => [name, optional(integer(name))]),
);

const pointColumns = {
  pointId: text('point_id'),
  seriesId: text('series_id'),
  atMs: timeMs('at'),
  requests: integer('requests'),
  ...bins,
};

/** 0 until the point is added to the level above; then the number of its piece. */
const rolled = integer('rolled');

export const usageMinutesTable = table('usage_minutes', 'pointId', { ...pointColumns, rolled });
export const usageHoursTable = table('usage_hours', 'pointId', { ...pointColumns, rolled });
export const usageDaysTable = table('usage_days', 'pointId', pointColumns);
