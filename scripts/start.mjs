/** `npm start`: installs missing packages, then runs the whole development installation until Ctrl-C. */
import { join } from 'node:path';
import { buildConsole } from './console-build.mjs';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';
import { startHelp } from './start-help.mjs';

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  console.log(startHelp());
} else {
  const bun = await ensureInstalled();
  const built = await buildConsole(bun, ['--if-needed']);
  if (built !== 0) process.exit(built);
  process.exitCode = await runChild(bun, [join(repositoryRoot, 'devkit', 'src', 'start.ts'), ...args], {
    cwd: repositoryRoot,
  });
}
