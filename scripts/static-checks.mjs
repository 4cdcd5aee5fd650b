/** Type check, lint, dependency rules and words: the checks that do not run the code. */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, typeScriptCompiler } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

/** The compiler's results of the last check: with them, a check after small changes takes an eighth of the time. */
const incremental = (name) => [
  '--incremental',
  '--tsBuildInfoFile',
  join(repositoryRoot, 'node_modules', '.cache', 'flowgate', `${name}.tsbuildinfo`),
];

const binary = (name) => join(repositoryRoot, 'node_modules', '.bin', name);

const checks = [
  { name: 'type check', tool: typeScriptCompiler, args: ['-p', '.', ...incremental('root')] },
  {
    name: 'type check of the console',
    tool: typeScriptCompiler,
    args: ['-p', 'apps/console', ...incremental('console')],
  },
  {
    name: 'type check of the client',
    tool: typeScriptCompiler,
    args: ['-p', 'client/tsconfig.build.json', '--noEmit'],
  },
  { name: 'lint', tool: binary('biome'), args: ['ci', '--colors=off', '.'] },
  {
    name: 'dependency rules',
    tool: binary('depcruise'),
    args: ['packages', 'client', 'devkit', 'apps/cli', 'apps/console', 'apps/gateway/src', '--output-type', 'err'],
  },
  { name: 'words', tool: process.execPath, args: ['scripts/check-words.mjs'] },
];

/**
 * Runs every check, also after one has failed. Writes to the file descriptor `output`, by default to standard output.
 * @returns {Promise<{ passed: number, failed: number, skipped: number, failures: string[] }>}
 */
export async function runStaticChecks(output) {
  const stdio = output === undefined ? {} : { stdio: ['ignore', output, output] };
  const say = (text) => (output === undefined ? console.log(text) : writeSync(output, `${text}\n`));
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const check of checks) {
    say(`\n— ${check.name}`);
    const code = await runChild(check.tool, check.args, {
      cwd: repositoryRoot,
      ...stdio,
    });
    totals[code === 0 ? 'passed' : 'failed'] += 1;
    if (code !== 0) totals.failures.push(`${check.name} failed (exit ${code})`);
    say(code === 0 ? `${check.name} passed` : totals.failures.at(-1));
  }
  return totals;
}
