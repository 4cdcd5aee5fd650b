/** An empty project outside of the repository with the package in it, built and installed as for users. */

import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dir, '../..');

export type Ended = { readonly code: number; readonly output: string; readonly errors: string };

export type PackedProject = {
  /** All created files; the caller removes them. */
  readonly root: string;
  readonly directory: string;
  readonly run: (command: readonly string[], cwd?: string) => Promise<Ended>;
};

/** Built in a separate directory, because other tests pack in `client/` at the same time. */
export async function packedProject(): Promise<PackedProject> {
  const root = mkdtempSync(join(tmpdir(), 'flowgate-entries-'));
  const [client, directory] = [join(root, 'client'), join(root, 'project')];
  const run = async (command: readonly string[], cwd = directory): Promise<Ended> => {
    // With the machine's own npm settings.
    const child = Bun.spawn([...command], { cwd, env: process.env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
    const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return { code, output: output.trim(), errors };
  };
  const done = async (command: readonly string[], cwd: string): Promise<string> => {
    const { code, output, errors } = await run(command, cwd);
    if (code !== 0) throw new Error(output + errors);
    return output;
  };
  for (const path of [client, directory]) mkdirSync(path);
  for (const name of ['package.json', 'README.md', 'src'])
    cpSync(join(repository, 'client', name), join(client, name), { recursive: true });
  await done(['node', join(repository, 'scripts/build-client.mjs'), join(client, 'dist')], repository);
  const packed = await done(['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', root], client);
  writeFileSync(join(directory, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  await done(['npm', 'install', '--offline', '--no-audit', '--no-fund', join(root, packed)], directory);
  return { root, directory, run };
}
