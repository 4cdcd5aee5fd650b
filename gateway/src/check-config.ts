/** What `check-config` says of a file: everything that `start` refuses, what is unsafe, and what is worth a second thought. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from './config.ts';
import { type ConfigProblem, type Environment, type LoadedConfig, readConfig } from './config-file.ts';
import { configWarnings } from './config-warnings.ts';

/** `unreadable`: why, in a sentence for the operator. */
export type ConfigSource =
  | { readonly kind: 'read'; readonly loaded: LoadedConfig }
  | { readonly kind: 'unreadable'; readonly reason: string };

export async function readConfigFile(file: string, environment: Environment): Promise<ConfigSource> {
  try {
    return { kind: 'read', loaded: readConfig(await readFile(file, 'utf8'), environment, hasModule) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { kind: 'unreadable', reason: `cannot read the configuration ${file}: ${reasons[code] ?? code}` };
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'part of its path is no directory',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};

export type ConfigVerdict = {
  /** Not empty: exit code 2. */ readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
};

/** Loads the modules of embedded apps, as `start` would: whether they are apps shows in no other way. */
export async function checkConfig(loaded: LoadedConfig): Promise<ConfigVerdict> {
  if (!loaded.ok) return { problems: [...loaded.problems, ...loaded.unsafe], warnings: [] };
  return {
    problems: [...loaded.unsafe, ...(await embeddedAppProblems(loaded.config))],
    warnings: configWarnings(loaded.config),
  };
}

async function embeddedAppProblems({ flow: { embeddedApps } }: Config): Promise<readonly ConfigProblem[]> {
  if (embeddedApps.length === 0) return [];
  const { tryEmbeddedApps } = await import('./flow/apps/load-embedded-apps.ts');
  const { problems } = await tryEmbeddedApps(embeddedApps);
  return problems.map(({ path, module, message }) => ({ path, message: `${module} ${message}` }));
}

/** As `import` would find it, from the working directory. */
function hasModule(path: string): boolean {
  try {
    Bun.resolveSync(resolve(path), '/');
    return true;
  } catch {
    return false;
  }
}
