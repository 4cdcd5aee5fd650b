/** Type check and lint: the checks that do not run the code. */
import { join } from 'node:path';
import { repositoryRoot, typeScriptCompiler } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const binary = (name) => join(repositoryRoot, 'node_modules', '.bin', name);

const checks = [
  { name: 'type check', tool: typeScriptCompiler, args: ['-p', '.'] },
  { name: 'type check of the console', tool: typeScriptCompiler, args: ['-p', 'console'] },
  {
    name: 'type check of the client',
    tool: typeScriptCompiler,
    args: ['-p', 'client/tsconfig.build.json', '--noEmit'],
  },
  { name: 'lint', tool: binary('biome'), args: ['ci', '--colors=off', '.'] },
  { name: 'dependency rules', tool: binary('depcruise'), args: ['packages', '--output-type', 'err'] },
];

/** Runs every check, also after one has failed. @returns {Promise<{ passed: number, failed: number, skipped: number, failures: string[] }>} */
export async function runStaticChecks() {
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const check of checks) {
    console.log(`\n— ${check.name}`);
    const code = await runChild(check.tool, check.args, {
      cwd: repositoryRoot,
    });
    totals[code === 0 ? 'passed' : 'failed'] += 1;
    if (code !== 0) totals.failures.push(`${check.name} failed (exit ${code})`);
    console.log(code === 0 ? `${check.name} passed` : totals.failures.at(-1));
  }
  return totals;
}
