/** Builds client/dist, JavaScript and declarations, before `npm pack` in client/; the workspace itself runs the sources. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const client = join(repositoryRoot, 'client');
const dist = join(client, 'dist');

await ensureInstalled();
rmSync(dist, { recursive: true, force: true });
const code = await runChild(join(repositoryRoot, 'node_modules', '.bin', 'tsc'), [
  '-p',
  join(client, 'tsconfig.build.json'),
]);
if (code !== 0) process.exit(code);
// The compiler rewrites the extension in JavaScript, but not in declarations, where older compilers would then look for the source.
for (const name of readdirSync(dist, { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
  const path = join(dist, name);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/((?:from |import\()'\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
}
