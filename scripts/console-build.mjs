/** Runs the console's build. */
import { join } from 'node:path';
import { repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

/** @returns {Promise<number>} the build's exit code. */
export function buildConsole(bun, args = []) {
  return runChild(bun, [join(repositoryRoot, 'scripts', 'build-console.mjs'), ...args], { cwd: repositoryRoot });
}
