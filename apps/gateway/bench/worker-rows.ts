/**
 * One process, and several on one port: calls per second, and CPU time for each call in all processes of a gateway
 * together.
 */
import type { Generator } from '@flowgate/devkit/load/generator-process';
import { median } from '@flowgate/devkit/load/percentiles';
import { cpuSeconds, residentBytes } from '@flowgate/devkit/load/process-usage';
import { type RunningWorkers, startWorkers } from '../test/fixtures/running-workers.ts';
import type { BenchArguments } from './arguments.ts';
import type { Contestant } from './contestant.ts';
import type { Progress } from './measure.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import type { Workshop } from './workshop.ts';

export const workersName = 'workers';

export type WorkersRow =
  | {
      readonly workers: number;
      readonly scenario: string;
      readonly perSecond: number;
      readonly cpuUs: number;
      readonly p99Us: number;
      readonly residentBytes: number;
    }
  /** Why there are no figures. */
  | { readonly workers: number; readonly absent: string };

const counts = [1, 2];
const keysOfUsers = 8;

/** Needs PostgreSQL and Redis on the machine, without which the rows say so. */
export async function measureWorkers(
  workshop: Workshop,
  generator: Generator,
  node: Contestant,
  { rounds, roundMs }: Pick<BenchArguments, 'rounds' | 'roundMs'>,
  progress: Progress,
): Promise<readonly WorkersRow[]> {
  const measured = scenarios.filter(({ name }) => name === 'proxied-header' || name === 'blocked');
  const rows: WorkersRow[] = [];
  for (const workers of counts) {
    progress(`workers, ${workers}`);
    const nodeUrl = `http://127.0.0.1:${node.main.port}`;
    const gateway = await startWorkers({ server: { workers }, nodeUrl, log: { requests: 'none' } }).catch(
      (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
    );
    if (typeof gateway === 'string') {
      rows.push({ workers, absent: gateway });
      continue;
    }
    workshop.atEnd(gateway.stop);
    const keys = await Promise.all(Array.from({ length: keysOfUsers }, () => gateway.mint()));
    for (const scenario of measured)
      rows.push({ workers, ...(await measureScenario(generator, gateway, scenario, keys, rounds, roundMs)) });
    await gateway.stop();
  }
  return rows;
}

async function measureScenario(
  generator: Generator,
  gateway: RunningWorkers,
  { name, requests, expectation }: Scenario,
  keys: readonly string[],
  rounds: number,
  durationMs: number,
) {
  const population = { hot: keys.map((key) => ({ key, userId: 'alice' })), unknown: [], cold: [], spent: [] };
  const job = { ...requests(population, 0), port: gateway.port };
  await generator.prepare({ requests: job, expectation, connections: 64, warmUpMs: 1_000 });
  const found: { perSecond: number; cpuUs: number; p99Us: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = usedSeconds(gateway);
    const { answers, p99Us } = await generator.measure({ kind: 'closed', durationMs });
    const cpuUs = ((usedSeconds(gateway) - before) * 1e6) / answers;
    found.push({ perSecond: (answers * 1000) / durationMs, cpuUs, p99Us });
  }
  await generator.release();
  const of = (figure: 'perSecond' | 'cpuUs' | 'p99Us') => median(found.map((each) => each[figure]));
  return {
    scenario: name,
    ...{ perSecond: of('perSecond'), cpuUs: of('cpuUs'), p99Us: of('p99Us') },
    residentBytes: processesOf(gateway).reduce((sum, pid) => sum + (residentBytes(pid) ?? 0), 0),
  };
}

function processesOf(gateway: RunningWorkers): readonly number[] {
  return [gateway.process.pid, ...gateway.workers()];
}

function usedSeconds(gateway: RunningWorkers): number {
  return processesOf(gateway).reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0);
}
