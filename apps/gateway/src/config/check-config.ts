/** What `check-config` reports about a file: everything that `start` refuses, unsafe settings, and settings to reconsider. */

import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from './config.ts';
import { type ConfigProblem, type Environment, type LoadedConfig, readConfig } from './config-file.ts';
import type { ConfigVerdict } from './config-verdict.ts';
import { configWarnings } from './config-warnings.ts';

/** `unreadable`: why, in a sentence for the operator. */
export type ConfigSource =
  | { readonly kind: 'read'; readonly loaded: LoadedConfig }
  | { readonly kind: 'unreadable'; readonly reason: string };

export async function readConfigFile(file: string, environment: Environment): Promise<ConfigSource> {
  const text = await readText(file);
  if ('reason' in text) return { kind: 'unreadable', reason: `cannot read the configuration ${file}: ${text.reason}` };
  return { kind: 'read', loaded: readConfig(text.text, environment, hasModule) };
}

/** Enough for ten thousand networks. */
const maxBytes = 4_194_304;

/** In pieces, because a pipe or a device has no size to check first. */
async function readText(path: string): Promise<{ readonly text: string } | { readonly reason: string }> {
  try {
    await using file = await open(path);
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length));
    if (length > maxBytes) return { reason: `it has more than ${maxBytes} bytes` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { reason: reasons[code] ?? code };
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'part of its path is no directory',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is no text in UTF-8',
};

/** Loads the modules of embedded apps as `start` does, which shows whether they are apps. */
export async function checkConfig(loaded: LoadedConfig, now: () => Promise<number>): Promise<ConfigVerdict> {
  if (!loaded.ok) return { problems: [...loaded.problems, ...loaded.unsafe], warnings: [] };
  const tls = await certificateVerdict(loaded.config, now);
  return {
    problems: [...loaded.unsafe, ...tls.problems, ...(await embeddedAppProblems(loaded.config))],
    warnings: [...configWarnings(loaded.config), ...tls.warnings],
  };
}

async function certificateVerdict({ server: { tls } }: Config, now: () => Promise<number>): Promise<ConfigVerdict> {
  if (tls === undefined) return { problems: [], warnings: [] };
  const { tlsVerdict } = await import('./tls-verdict.ts');
  return tlsVerdict(tls, await now());
}

async function embeddedAppProblems({ flow: { embeddedApps } }: Config): Promise<readonly ConfigProblem[]> {
  if (embeddedApps.length === 0) return [];
  const { tryEmbeddedApps } = await import('../flow/apps/load-embedded-apps.ts');
  const { problems } = await tryEmbeddedApps(embeddedApps);
  return problems.map(({ path, module, message }) => ({ path, message: `${module} ${message}` }));
}

/** The path as `import` resolves it, from the working directory. */
function hasModule(path: string): boolean {
  try {
    Bun.resolveSync(resolve(path), '/');
    return true;
  } catch {
    return false;
  }
}
