/**
 * Builds JavaScript and declarations into client/dist, or the directory in the argument, before `npm pack` in client/. The workspace itself runs the sources.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureInstalled, repositoryRoot, typeScriptCompiler } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const client = join(repositoryRoot, 'client');
const dist = resolve(process.argv[2] ?? join(client, 'dist'));

await ensureInstalled();
rmSync(dist, { recursive: true, force: true });
const code = await runChild(typeScriptCompiler, ['-p', join(client, 'tsconfig.build.json'), '--outDir', dist]);
if (code !== 0) process.exit(code);
// The compiler rewrites the extension in JavaScript, but not in declarations, where older compilers would then look for the source.
for (const name of readdirSync(dist, { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
  const path = join(dist, name);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/((?:from |import\()'\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
}
