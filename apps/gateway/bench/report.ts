/** Formats the comparison as text. */
import type { Spread } from '@flowgate/devkit/load/percentiles';
import type { Row } from './comparison.ts';
import type { ConnectionsRow } from './connections.ts';
import type { ContestantName } from './contestant.ts';
import type { FailoverRow } from './failover.ts';
import type { LatencyTable } from './latency.ts';
import type { StallRow } from './stall.ts';
import type { SubscribersRow } from './subscribers.ts';
import type { WorkersRow } from './worker-rows.ts';

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
  readonly latency: readonly LatencyTable[];
  /** The effect of one caller's most expensive requests on the calls of others. */
  readonly stalls: readonly StallRow[];
  /** Flowgate's memory with many connections. */
  readonly connections: readonly ConnectionsRow[];
  /** Callers that subscribe by WebSocket. */
  readonly subscribers: readonly SubscribersRow[];
  readonly workers: readonly WorkersRow[];
  /** Calls while nodes of their network fail. */
  readonly failover: readonly FailoverRow[];
  readonly memory: readonly MemoryRow[];
};

export function reportText(report: Report): string {
  const absent = report.contestants.flatMap(({ name, absent }) => (absent === undefined ? [] : [`${name}: ${absent}`]));
  return [
    report.machine,
    ...absent,
    ...(report.rows.length === 0 ? [] : ['', ...cpuTable(report.rows)]),
    ...report.latency.flatMap((each) => ['', ...latencyTable(each)]),
    ...(report.stalls.length === 0 ? [] : ['', ...stallTable(report.stalls)]),
    ...(report.connections.length === 0 ? [] : ['', ...connectionsTable(report.connections)]),
    ...(report.subscribers.length === 0 ? [] : ['', ...subscribersTable(report.subscribers)]),
    ...(report.workers.length === 0 ? [] : ['', ...workersTable(report.workers)]),
    ...(report.failover.length === 0 ? [] : ['', ...failoverTable(report.failover)]),
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

function latencyTable({ perSecond, coreShare, rows }: LatencyTable): readonly string[] {
  const share = coreShare === undefined ? '' : `, ${Math.round(coreShare * 100)} % of a core`;
  const figures = ['p50', 'p99', 'p99.9'];
  const head = [
    `at ${perSecond}/s${share}`,
    ...figures.map((each) => `${each} µs`),
    ...figures.map((each) => `added ${each}`),
    'generator late p99',
  ];
  const busy = rows.some((row) => row.lateP99Us > row.p50Us.median * 10);
  const lines = table([
    head,
    ...rows.map(({ contestant, p50Us, p99Us, p999Us, added, lateP99Us }) => [
      contestant,
      ...[p50Us, p99Us, p999Us].map((each) => ranged(each, 0)),
      ...[added?.p50Us, added?.p99Us, added?.p999Us].map((each) => each?.toFixed(0) ?? '-'),
      lateP99Us.toFixed(0),
    ]),
  ]);
  return busy ? [...lines, 'The generator itself was late: the machine was too busy for these p99 figures.'] : lines;
}

function connectionsTable(rows: readonly ConnectionsRow[]): readonly string[] {
  return table([
    ['connections to flowgate', 'resident MiB'],
    ...rows.map(({ what, bytes }) => [what, mebibytes(bytes)]),
  ]);
}

function subscribersTable(rows: readonly SubscribersRow[]): readonly string[] {
  return table([
    ['10,000 subscribers', 'resident MiB', 'the last has it after ms', 'CPU ms'],
    ...rows.map(({ what, bytes, lastMs, cpuMs }) => [
      what,
      bytes === undefined ? '' : mebibytes(bytes),
      lastMs?.toFixed(0) ?? '',
      cpuMs?.toFixed(0) ?? '',
    ]),
  ]);
}

export function workersTable(rows: readonly WorkersRow[]): readonly string[] {
  return table([
    ['workers', 'scenario', 'calls/s', 'CPU µs/call', 'p99 µs', 'resident MiB'],
    ...rows.map((row) =>
      'absent' in row
        ? [String(row.workers), row.absent]
        : [
            String(row.workers),
            row.scenario,
            row.perSecond.toFixed(0),
            row.cpuUs.toFixed(1),
            row.p99Us.toFixed(0),
            mebibytes(row.residentBytes),
          ],
    ),
  ]);
}

function failoverTable(rows: readonly FailoverRow[]): readonly string[] {
  const milliseconds = (us: number): string => (us / 1000).toFixed(1);
  return table([
    ['of three nodes', 'calls', 'lost', 'p50 ms', 'p99 ms', 'longest ms'],
    ...rows.map(({ what, calls, lost, p50Us, p99Us, maxUs }) => [
      what,
      String(calls),
      String(lost),
      ...[p50Us, p99Us, maxUs].map(milliseconds),
    ]),
  ]);
}

function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? '-' : (bytes / 2 ** 20).toFixed(0);
}

function stallTable(rows: readonly StallRow[]): readonly string[] {
  const milliseconds = (us: number): string => (us / 1000).toFixed(1);
  return table([
    ['while one caller sends', 'requests', 'others p99 ms', 'longest ms', 'its slowest ms', 'which'],
    ...rows.map(({ scenario, sent, p99Us, maxUs, slowest }) => [
      scenario,
      String(sent),
      milliseconds(p99Us),
      milliseconds(maxUs),
      slowest?.ms.toFixed(1) ?? '-',
      slowest?.name ?? '',
    ]),
  ]);
}

function memoryTable(rows: readonly MemoryRow[]): readonly string[] {
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
