/** The gateway with its runtime in one file, for this platform. */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const sources = join(repositoryRoot, 'gateway', 'src');

/** @returns {Promise<number>} the exit code of the compiler. */
export async function compileGateway(bun, outfile) {
  const entries = [join(sources, 'main.ts'), ...threads()];
  const options = [
    '--compile',
    `--outfile=${outfile}`,
    // A module asks for its thread's by a URL beside its own. In the executable all modules have the root for an address, so that is where threads go.
    '--entry-naming=[name].[ext]',
    // What is parsed already starts in half the time.
    '--bytecode',
    '--format=esm',
    // Stack traces, and the places in the log, name source files.
    '--sourcemap=inline',
    '--define=process.env.NODE_ENV="production"',
    // As bin/flowgate: nothing in the working directory changes how it runs.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
  ];
  const code = await runChild(bun, ['build', ...options, ...entries], { cwd: repositoryRoot });
  // Bun writes the maps beside the executable too, which has them inside.
  const directory = dirname(outfile);
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.map'))) rmSync(join(directory, name));
  return code;
}

/** The modules that run in threads of their own: nothing imports them, so that they are entry points like `main.ts`. */
function threads() {
  return readdirSync(sources, { recursive: true })
    .filter((path) => path.endsWith('-worker.ts'))
    .map((path) => join(sources, path));
}
