/** npm packages that one test needs: installed when it first runs, so that no other installation downloads them. */
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Outside of the folders that searches of the sources read. Removed when the repository's own packages are installed
 * again.
 */
const cache = join(import.meta.dir, '../../../node_modules/.cache');

/**
 * Copies the files of `folder`, a `package.json` and its lock file among them, and runs `npm ci` in the copy, without install scripts. Resolves with the copy's path, at once when the same files
 * were installed before. Throws when npm fails.
 */
export async function installedPackages(folder: string): Promise<string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name).toSorted();
  const hasher = new Bun.CryptoHasher('sha256');
  for (const name of names) hasher.update(await Bun.file(join(folder, name)).text());
  const installed = join(cache, `${basename(folder)}-${hasher.digest('hex').slice(0, 16)}`);
  if (existsSync(installed)) return installed;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, 'installing-'));
  try {
    for (const name of names) await cp(join(folder, name), join(fresh, name));
    const install = ['npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    const child = Bun.spawn(install, { cwd: fresh, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' });
    const problem = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new Error(`${install.join(' ')} failed: ${problem}`);
    // The first of several concurrent installations wins.
    await rename(fresh, installed).catch((error) => {
      if (!existsSync(installed)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return installed;
}
