/** The two kinds of measurement: CPU for each call under full load, latency at a fixed arrival rate. */
import type { Generator } from '@flowgate/devkit/load/generator-process';
import type { LoadJob, LoadResult } from '@flowgate/devkit/load/load-job';
import { cpuSeconds } from '@flowgate/devkit/load/process-usage';
import type { BenchArguments } from './arguments.ts';
import type { Sample } from './comparison.ts';
import type { Contestant, Endpoint } from './contestant.ts';
import type { Population } from './population.ts';
import type { Scenario } from './scenarios.ts';

export type Progress = (sentence: string) => void;

export type Bench = {
  readonly generator: Generator;
  readonly population: Population;
  readonly options: BenchArguments;
};

/** `round` counts from -1, the warm-up. */
export async function measureCpu(
  bench: Bench,
  contestant: Contestant,
  scenario: Scenario,
  round: number,
): Promise<Sample> {
  const { generator, options } = bench;
  const endpoint = scenario.endpoint === 'limited' ? (contestant.limited ?? contestant.main) : contestant.main;
  await generator.prepare(jobFor(bench, contestant, scenario, endpoint, round + 1));
  const before = cpuSeconds(endpoint.pid);
  const result = await generator.measure(
    scenario.once ? { kind: 'once' } : { kind: 'closed', durationMs: options.roundMs },
  );
  const after = cpuSeconds(endpoint.pid);
  await generator.release();
  return {
    round,
    scenario: scenario.name,
    contestant: contestant.name,
    calls: result.answers,
    cpuUs: before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / result.answers,
    p50Us: result.p50Us,
    p99Us: result.p99Us,
  };
}

/** At `perSecond` arrivals a second. */
export async function measureLatency(
  bench: Bench,
  contestant: Contestant,
  scenario: Scenario,
  perSecond: number,
): Promise<LoadResult> {
  const { generator, options } = bench;
  await generator.prepare(jobFor(bench, contestant, scenario, contestant.main, 0));
  const result = await generator.measure({ kind: 'open', perSecond, durationMs: options.latencyMs });
  await generator.release();
  return result;
}

function jobFor(bench: Bench, contestant: Contestant, scenario: Scenario, { port }: Endpoint, turn: number): LoadJob {
  return {
    requests: { ...scenario.requests(bench.population, turn), port },
    expectation: contestant.expects(scenario),
    connections: bench.options.connections,
    // A key that is used once has no warm-up, which would cache the key.
    warmUpMs: scenario.once ? 0 : bench.options.warmUpMs,
  };
}
