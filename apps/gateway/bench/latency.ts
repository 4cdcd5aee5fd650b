/** Latency at fixed arrival rates: one rate for all contestants, and the rate at which Flowgate uses most of a core. */
import type { LoadResult } from '@flowgate/devkit/load/load-job';
import { median, type Spread, spread } from '@flowgate/devkit/load/percentiles';
import { cpuSeconds } from '@flowgate/devkit/load/process-usage';
import { interleaved } from './comparison.ts';
import type { Contestant } from './contestant.ts';
import { type Bench, measureLatency, type Progress } from './measure.ts';
import { type Scenario, scenarios } from './scenarios.ts';

export const latencyName = 'latency';

export type LatencyRow = {
  readonly contestant: string;
  readonly p50Us: Spread;
  readonly p99Us: Spread;
  readonly p999Us: Spread;
  /** Microseconds by which the median exceeds that of direct calls to the node; undefined for the node itself. */
  readonly added: { readonly p50Us: number; readonly p99Us: number; readonly p999Us: number } | undefined;
  /** How late the generator sent its requests, 99th percentile, in microseconds. */
  readonly lateP99Us: number;
};

export type LatencyTable = {
  readonly perSecond: number;
  /** Flowgate's share of one core at this rate; undefined where the rate was given. */
  readonly coreShare: number | undefined;
  readonly rows: readonly LatencyRow[];
};

/** The share of one core at which the second table is measured. */
const wantedShare = 0.8;
const maxAttempts = 6;

/** `node`: without a gateway. Two tables: at the rate of the options, and at Flowgate's own rate for 80 % of a core. */
export async function measureLatencies(
  bench: Bench,
  node: Contestant,
  contestants: readonly Contestant[],
  progress: Progress,
): Promise<readonly LatencyTable[]> {
  const [scenario] = scenarios;
  if (scenario === undefined) return [];
  const { perSecond } = bench.options;
  const given = await tableAt(bench, scenario, perSecond, [node, ...contestants], progress);
  const flowgate = contestants.find(({ name }) => name === 'flowgate');
  const found = flowgate === undefined ? undefined : await rateFor(bench, scenario, flowgate, progress);
  if (flowgate === undefined || found === undefined) return [{ perSecond, coreShare: undefined, rows: given }];
  const busy = await tableAt(bench, scenario, found.perSecond, [node, flowgate], progress);
  return [
    { perSecond, coreShare: undefined, rows: given },
    { ...found, rows: busy },
  ];
}

/** The rate at which it uses the wanted share of a core, or the maximum rate of the generator. */
async function rateFor(
  bench: Bench,
  scenario: Scenario,
  flowgate: Contestant,
  progress: Progress,
): Promise<{ readonly perSecond: number; readonly coreShare: number } | undefined> {
  progress('latency, looking for the rate of 80 % of a core');
  let { perSecond } = bench.options;
  let best: { readonly perSecond: number; readonly coreShare: number } | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const before = cpuSeconds(flowgate.main.pid);
    const { answers, durationMs } = await measureLatency(bench, flowgate, scenario, perSecond);
    const after = cpuSeconds(flowgate.main.pid);
    if (before === undefined || after === undefined) return undefined;
    // Its warm-up belongs to the time, too.
    const coreShare = ((after - before) * 1000) / (durationMs + bench.options.warmUpMs);
    const isSustained = (answers * 1000) / durationMs >= perSecond * 0.98;
    if (!isSustained) return best;
    best = { perSecond, coreShare };
    if (Math.abs(coreShare - wantedShare) < 0.04) return best;
    perSecond = Math.round(perSecond * Math.min(2, Math.max(0.5, wantedShare / coreShare)));
  }
  return best;
}

async function tableAt(
  bench: Bench,
  scenario: Scenario,
  perSecond: number,
  contestants: readonly Contestant[],
  progress: Progress,
): Promise<readonly LatencyRow[]> {
  const results = new Map<string, LoadResult[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < bench.options.rounds; round += 1) {
    progress(`latency at ${perSecond}/s, round ${round + 1} of ${bench.options.rounds}`);
    for (const contestant of interleaved(contestants, round))
      results.get(contestant.name)?.push(await measureLatency(bench, contestant, scenario, perSecond));
  }
  const direct = results.get('node') ?? [];
  return [...results].map(([contestant, own]) => latencyRow(contestant, own, direct));
}

function latencyRow(contestant: string, own: readonly LoadResult[], direct: readonly LoadResult[]): LatencyRow {
  const added = (figure: 'p50Us' | 'p99Us' | 'p999Us'): number =>
    median(own.map((result, round) => result[figure] - (direct[round]?.[figure] ?? Number.NaN)));
  return {
    contestant,
    p50Us: spread(own.map(({ p50Us }) => p50Us)),
    p99Us: spread(own.map(({ p99Us }) => p99Us)),
    p999Us: spread(own.map(({ p999Us }) => p999Us)),
    added:
      contestant === 'node' ? undefined : { p50Us: added('p50Us'), p99Us: added('p99Us'), p999Us: added('p999Us') },
    lateP99Us: median(own.map(({ lateP99Us }) => lateP99Us ?? Number.NaN)),
  };
}
