/** Formats the comparison as text. */
import type { Spread } from '@flowgate/devkit/load/percentiles';
import type { Row } from './comparison.ts';
import type { ContestantName } from './contestant.ts';
import type { StallRow } from './stall.ts';

export type LatencyRow = {
  readonly contestant: string;
  readonly p50Us: Spread;
  readonly p99Us: Spread;
  /** Microseconds by which the median exceeds that of the direct way to the node. */
  readonly addedP50Us: number | undefined;
  readonly addedP99Us: number | undefined;
  /** How late the generator sent its requests, 99th percentile, in microseconds. */
  readonly lateP99Us: number;
};

export type MemoryRow = {
  readonly contestant: string;
  readonly idleBytes: number | undefined;
  readonly loadedBytes: number | undefined;
};

export type Report = {
  readonly machine: string;
  readonly contestants: readonly { readonly name: ContestantName; readonly absent?: string }[];
  /** Wrong answers: the run has failed; the other figures are valid. */
  readonly problems: readonly string[];
  readonly rows: readonly Row[];
  readonly latency: { readonly perSecond: number; readonly rows: readonly LatencyRow[] } | undefined;
  /** The effect of one caller's worst requests on the calls of others. */
  readonly stalls: readonly StallRow[];
  readonly memory: readonly MemoryRow[];
};

export function reportText(report: Report): string {
  const absent = report.contestants.flatMap(({ name, absent }) => (absent === undefined ? [] : [`${name}: ${absent}`]));
  return [
    report.machine,
    ...absent,
    ...(report.rows.length === 0 ? [] : ['', ...cpuTable(report.rows)]),
    ...(report.latency === undefined ? [] : ['', ...latencyTable(report.latency.perSecond, report.latency.rows)]),
    ...(report.stalls.length === 0 ? [] : ['', ...stallTable(report.stalls)]),
    '',
    ...memoryTable(report.memory),
    ...report.problems.map((problem) => `\nFAILED  ${problem}`),
  ].join('\n');
}

function cpuTable(rows: readonly Row[]): readonly string[] {
  const head = ['scenario', 'who', 'CPU µs/call', '× haproxy', '× haproxy proxied', 'calls', 'p50 µs', 'p99 µs'];
  return table([
    head,
    ...rows.map((row, index) => [
      row.scenario === rows[index - 1]?.scenario ? '' : row.scenario,
      row.contestant,
      ranged(row.cpuUs, 1),
      ranged(row.toSame, 2),
      ranged(row.toProxied, 2),
      String(row.calls),
      row.p50Us.median.toFixed(0),
      row.p99Us.median.toFixed(0),
    ]),
  ]);
}

function latencyTable(perSecond: number, rows: readonly LatencyRow[]): readonly string[] {
  const head = [`at ${perSecond}/s`, 'p50 µs', 'p99 µs', 'added p50', 'added p99', 'generator late p99'];
  const busy = rows.some((row) => row.lateP99Us > row.p50Us.median * 10);
  const lines = table([
    head,
    ...rows.map((row) => [
      row.contestant,
      ranged(row.p50Us, 0),
      ranged(row.p99Us, 0),
      row.addedP50Us?.toFixed(0) ?? '-',
      row.addedP99Us?.toFixed(0) ?? '-',
      row.lateP99Us.toFixed(0),
    ]),
  ]);
  return busy ? [...lines, 'The generator itself was late: the machine was too busy for these p99 figures.'] : lines;
}

function stallTable(rows: readonly StallRow[]): readonly string[] {
  const milliseconds = (us: number): string => (us / 1000).toFixed(1);
  return table([
    ['while one caller sends', 'requests', 'others p99 ms', 'longest ms', 'its slowest ms', 'which'],
    ...rows.map(({ scenario, sent, p99Us, longestUs, slowest }) => [
      scenario,
      String(sent),
      milliseconds(p99Us),
      milliseconds(longestUs),
      slowest?.ms.toFixed(1) ?? '-',
      slowest?.name ?? '',
    ]),
  ]);
}

function memoryTable(rows: readonly MemoryRow[]): readonly string[] {
  const mebibytes = (bytes: number | undefined): string => (bytes === undefined ? '-' : (bytes / 2 ** 20).toFixed(0));
  return table([
    ['resident MiB', 'idle', 'after load'],
    ...rows.map((row) => [row.contestant, mebibytes(row.idleBytes), mebibytes(row.loadedBytes)]),
  ]);
}

function ranged(value: Spread | undefined, digits: number): string {
  if (value === undefined) return '-';
  return `${value.median.toFixed(digits)} (${value.low.toFixed(digits)}-${value.high.toFixed(digits)})`;
}

/** Aligns the first two columns left and the figures right. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < 1 || /^[a-z]/.test(cell) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
