/**
 * The workers part of the bench alone, for longer: `bun apps/gateway/bench/workers.ts [--seconds 5] [--rounds 3]`. Needs PostgreSQL and Redis on the machine.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startGenerator } from '@flowgate/devkit/load/generator-process';
import { startNode } from './bench.ts';
import { workersTable } from './report.ts';
import { measureWorkers } from './worker-rows.ts';
import { Workshop } from './workshop.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
});
const workshop = new Workshop();
const generator = startGenerator();
workshop.atEnd(generator.stop);

try {
  const node = await startNode(workshop);
  const options = { rounds: Number(values.rounds), roundMs: Number(values.seconds) * 1000 };
  const rows = await measureWorkers(workshop, generator, node, options, (sentence) => console.error(sentence));
  console.log(`${cpus().length} cores, which the generator and the node share`);
  console.log(workersTable(rows).join('\n'));
} finally {
  await workshop.close();
}
process.exit(0);
