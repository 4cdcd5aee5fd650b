/** `npm run bench`: the comparison that apps/gateway/bench/README.md describes. */
import { join } from 'node:path';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const bun = await ensureInstalled();
process.exitCode = await runChild(
  bun,
  [join(repositoryRoot, 'apps', 'gateway', 'bench', 'main.ts'), ...process.argv.slice(2)],
  {
    cwd: repositoryRoot,
  },
);
