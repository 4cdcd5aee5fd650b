/** Compiles the CLI, the gateway and their runtime into one file for this platform. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const sources = join(repositoryRoot, 'apps', 'gateway', 'src');

/** @returns {Promise<number>} the exit code of the compiler. */
export async function compileGateway(bun, outfile) {
  const entries = [
    join(repositoryRoot, 'apps', 'cli', 'src', 'main.ts'),
    ...threads(),
    ...loadedByPath(),
    ...consolePack(),
  ];
  const options = [
    '--compile',
    `--outfile=${outfile}`,
    // A module starts its thread by a URL relative to its own. In the executable the URL of all modules is the root, so the threads' files are placed there.
    '--entry-naming=[name].[ext]',
    '--asset-naming=[name].[ext]',
    // Bytecode is already parsed and halves the start time.
    '--bytecode',
    '--format=esm',
    // With source maps, stack traces and the log name source files.
    '--sourcemap=inline',
    '--define=process.env.NODE_ENV="production"',
    // As in bin/flowgate: files in the working directory do not change how it runs.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
  ];
  const code = await runChild(bun, ['build', ...options, ...entries], { cwd: repositoryRoot });
  // Bun also writes the source maps next to the executable, which already contains them.
  const directory = dirname(outfile);
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.map'))) rmSync(join(directory, name));
  return code;
}

/**
 * Modules of packages that the sources load by path, because the runtime has a shim under the package's name (docs/decisions/0097). In the executable they are
 * next to `main.ts`.
 */
function loadedByPath() {
  const user = join(repositoryRoot, 'packages', 'websocket', 'package.json');
  const library = join(dirname(createRequire(user).resolve('ws/package.json')), 'lib');
  return ['receiver.js', 'sender.js'].map((name) => join(library, name));
}

/** The console's files, embedded unchanged. */
function consolePack() {
  const pack = join(repositoryRoot, 'apps', 'gateway', 'console', 'console.pack');
  return existsSync(pack) ? [pack] : [];
}

/** The modules that run in threads of their own. Nothing imports them, so they are entry points like `main.ts`. */
function threads() {
  return [sources, join(repositoryRoot, 'packages')].flatMap((directory) =>
    readdirSync(directory, { recursive: true })
      .filter((path) => path.endsWith('-worker.ts') && !path.includes('node_modules'))
      .map((path) => join(directory, path)),
  );
}
