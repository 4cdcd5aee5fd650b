/**
 * The whole runs, of which CI does a share; see docs/decisions/0112. `bun test/bridge/run.ts faults --engine postgres --crashes 200 --reorganizations 200 --seed 1`, `…
 * rollup --steps 300` and `… backfill --events 100000`. Prints figures as JSON; the exit code is 1 when anything differs.
 */

import { parseArgs } from 'node:util';
import { runBackfill } from './backfill-run.ts';
import type { Engine } from './bridge-gateways.ts';
import { runFaults } from './bridge-run.ts';
import { countOf } from './differences.ts';
import { runOnRollup } from './rollup-run.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
    crashes: { type: 'string', default: '200' },
    reorganizations: { type: 'string', default: '200' },
    steps: { type: 'string', default: '200' },
    events: { type: 'string', default: '100000' },
    'look-every': { type: 'string', default: '10' },
    quiet: { type: 'boolean', default: false },
  },
});
const engine: Engine = values.engine === 'postgres' ? 'postgres' : 'sqlite';
const report = (text: string) => {
  if (!values.quiet) console.error(text);
};
const common = { engine, seed: Number(values.seed), lookEvery: Number(values['look-every']), report };

const runs: Readonly<Record<string, () => Promise<boolean>>> = {
  async faults() {
    const { crashes, reorganizations } = values;
    const figures = await runFaults({
      ...{ ...common, crashes: Number(crashes), reorganizations: Number(reorganizations) },
    });
    console.log(JSON.stringify(figures, undefined, 1));
    return countOf(figures.differences) === 0;
  },
  async rollup() {
    const figures = await runOnRollup({ ...common, steps: Number(values.steps) });
    console.log(JSON.stringify(figures, undefined, 1));
    return figures.disagreements.length === 0;
  },
  async backfill() {
    console.log(JSON.stringify(await runBackfill({ engine, events: Number(values.events) }), undefined, 1));
    return true;
  },
};
const run = runs[positionals[0] ?? ''];
if (run === undefined) throw new Error(`name a run: ${Object.keys(runs)}`);
process.exit((await run()) ? 0 : 1);
