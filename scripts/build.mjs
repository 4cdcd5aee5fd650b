/**
 * `npm run build [-- --out DIR] [PART…]`: what can be installed elsewhere, into dist/. Parts: `client` and `gateway`, npm packages; `executable`, the gateway with its
 * runtime in one file, for this platform.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const sources = join(repositoryRoot, 'gateway', 'src');
const parts = {
  client: (out) => pack('client', out),
  gateway: (out) => pack('gateway', out),
  executable: compile,
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
const unknown = positionals.filter((part) => !Object.hasOwn(parts, part));
if (unknown.length > 0) {
  console.error(`build: there is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
const out = resolve(values.out ?? join(repositoryRoot, 'dist'));
mkdirSync(out, { recursive: true });
const bun = await ensureInstalled();
for (const part of positionals.length === 0 ? Object.keys(parts) : positionals) {
  const code = await parts[part](out);
  if (code !== 0) process.exit(code);
}

/** The package's own `prepack` makes what is packed. */
function pack(directory, to) {
  return runChild('npm', ['pack', '--silent', '--pack-destination', to], { cwd: join(repositoryRoot, directory) });
}

async function compile(to) {
  const entries = [join(sources, 'main.ts'), ...threads()];
  const options = [
    '--compile',
    `--outfile=${join(to, 'flowgate')}`,
    // A module asks for its thread's by a URL beside its own. In the executable all modules have the root for an address, so that is where threads go.
    '--entry-naming=[name].[ext]',
    // Stack traces, and the places in the log, name source files.
    '--sourcemap=inline',
    '--define=process.env.NODE_ENV="production"',
    // As bin/flowgate: nothing in the working directory changes how it runs.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
  ];
  const code = await runChild(bun, ['build', ...options, ...entries], { cwd: repositoryRoot });
  // Bun writes the maps beside the executable too, which has them inside.
  for (const name of readdirSync(to).filter((each) => each.endsWith('.map'))) rmSync(join(to, name));
  return code;
}

/** The modules that run in threads of their own: nothing imports them, so that they are entry points like `main.ts`. */
function threads() {
  return readdirSync(sources, { recursive: true })
    .filter((path) => path.endsWith('-worker.ts'))
    .map((path) => join(sources, path));
}
