/** Runs the console for all browser tests in a process of its own (test/console/serve-console.ts). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from './ensure-installed.mjs';

/** Resolves when the console is ready; `environment` is the tests' environment. Throws when it does not start. */
export async function startServedConsole(bun) {
  const program = join(repositoryRoot, 'test', 'console', 'serve-console.ts');
  const child = spawn(bun, [program], { cwd: repositoryRoot, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const printed = once(createInterface(child.stdout), 'line');
  const [first] = await Promise.race([printed, ended]);
  if (typeof first !== 'string')
    throw new Error(`the console for the tests in a browser did not start (exit ${first})`);
  return {
    environment: JSON.parse(first),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
