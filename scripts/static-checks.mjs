/** Type check and lint: what a machine can say about the code without running it. */
import { join } from 'node:path';
import { repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const checks = [
  { name: 'type check', tool: 'tsc', args: ['-p', '.'] },
  { name: 'lint', tool: 'biome', args: ['ci', '--colors=off', '.'] },
];

/** Runs every check, also after one has failed. @returns {Promise<{ passed: number, failed: number }>} */
export async function runStaticChecks() {
  const totals = { passed: 0, failed: 0 };
  for (const check of checks) {
    console.log(`\n— ${check.name}`);
    const code = await runChild(join(repositoryRoot, 'node_modules', '.bin', check.tool), check.args, {
      cwd: repositoryRoot,
    });
    totals[code === 0 ? 'passed' : 'failed'] += 1;
    console.log(code === 0 ? `${check.name} passed` : `${check.name} failed (exit ${code})`);
  }
  return totals;
}
