/**
 * Measures one process, and several on one port: calls a second, and CPU time for each call in all processes of a gateway together.
 * `bun gateway/bench/workers.ts [--seconds 5] [--rounds 3] [workers…]`, by default `1 2`. Needs PostgreSQL and Redis on the machine.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startGenerator } from '@flowgate/devkit/load/generator-process';
import { median } from '@flowgate/devkit/load/percentiles';
import { cpuSeconds, residentBytes } from '@flowgate/devkit/load/process-usage';
import { type RunningWorkers, startWorkers } from '../test/fixtures/running-workers.ts';
import { startNode } from './bench.ts';
import { scenarios } from './scenarios.ts';
import { Workshop } from './workshop.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
});
const counts = positionals.length > 0 ? positionals.map(Number) : [1, 2];
const durationMs = Number(values.seconds) * 1000;
const measured = scenarios.filter(({ name }) => name === 'proxied-header' || name === 'blocked');
const keysOfUsers = 8;

const workshop = new Workshop();
const generator = startGenerator();
workshop.atEnd(generator.stop);

try {
  const node = await startNode(workshop);
  const nodeUrl = `http://127.0.0.1:${node.main.port}`;
  console.log(`${cpus().length} cores, which the generator and the node share`);
  console.log(['workers', 'calls', 'a second', 'CPU for each', 'p99', 'resident MiB'].join('\t'));
  for (const workers of counts) {
    const gateway = await startWorkers({ server: { workers }, nodeUrl, log: { requests: 'none' } });
    workshop.atEnd(gateway.stop);
    const keys = await Promise.all(Array.from({ length: keysOfUsers }, () => gateway.mint()));
    for (const { name, requests, expectation } of measured) {
      const population = { hot: keys.map((key) => ({ key, userId: 'alice' })), unknown: [], cold: [], spent: [] };
      const job = { ...requests(population, 0), port: gateway.port };
      await generator.prepare({ requests: job, expectation, connections: 64, warmUpMs: 1_000 });
      const rounds: { perSecond: number; cpuUs: number; p99Us: number }[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        const before = usedSeconds(gateway);
        const { answers, p99Us } = await generator.measure({ kind: 'closed', durationMs });
        const cpuUs = ((usedSeconds(gateway) - before) * 1e6) / answers;
        rounds.push({ perSecond: (answers * 1000) / durationMs, cpuUs, p99Us });
      }
      await generator.release();
      const of = (figure: 'perSecond' | 'cpuUs' | 'p99Us') => Math.round(median(rounds.map((each) => each[figure])));
      const resident = processesOf(gateway).reduce((sum, pid) => sum + (residentBytes(pid) ?? 0), 0) / 2 ** 20;
      console.log(
        [workers, name, of('perSecond'), `${of('cpuUs')} µs`, `${of('p99Us')} µs`, resident.toFixed(0)].join('\t'),
      );
    }
  }
} finally {
  await workshop.close();
}
process.exit(0);

function processesOf(gateway: RunningWorkers): readonly number[] {
  return [gateway.process.pid, ...gateway.workers()];
}

function usedSeconds(gateway: RunningWorkers): number {
  return processesOf(gateway).reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0);
}
