/** `npm start`: installs what is missing, then runs the whole development installation until Ctrl-C. */
import { join } from 'node:path';
import { ensureInstalled, ROOT } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const bun = await ensureInstalled();
process.exitCode = await runChild(bun, [join(ROOT, 'devkit', 'src', 'start.ts'), ...process.argv.slice(2)], {
  cwd: ROOT,
});
