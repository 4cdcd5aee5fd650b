/**
 * `npm run build [-- --out DIR] [PART…]`: builds installable artifacts into dist/. Parts: `client`, `cli` and `gateway`, npm packages; `executable`, command line and
 * gateway with their runtime in one file, for this platform.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileGateway } from './compile-gateway.mjs';
import { buildConsole } from './console-build.mjs';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { packWorkspace } from './pack-workspace.mjs';
import { runChild } from './run-child.mjs';

const parts = {
  client: (out) => packClient(out),
  cli: (out) => packWorkspace(join(repositoryRoot, 'apps', 'cli'), out),
  gateway: async (out) =>
    (await buildConsole(bun, ['--if-needed'])) || packWorkspace(join(repositoryRoot, 'apps', 'gateway'), out),
  executable: async (out) => (await buildConsole(bun, ['--if-needed'])) || compileGateway(bun, join(out, 'flowgate')),
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
const unknown = positionals.filter((part) => !Object.hasOwn(parts, part));
if (unknown.length > 0) {
  console.error(`build: unknown part ${unknown.join(', ')}; the parts are ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
const out = resolve(values.out ?? join(repositoryRoot, 'dist'));
mkdirSync(out, { recursive: true });
const bun = await ensureInstalled();
for (const part of positionals.length === 0 ? Object.keys(parts) : positionals) {
  const code = await parts[part](out);
  if (code !== 0) process.exit(code);
}

/** The package's own `prepack` script builds the packed files. */
function packClient(to) {
  return runChild('npm', ['pack', '--silent', '--pack-destination', to], { cwd: join(repositoryRoot, 'client') });
}
