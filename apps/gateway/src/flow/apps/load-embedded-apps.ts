/** Loads the modules of `flow.embeddedApps` and registers their apps. Problems end the start with a message for the operator. */

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RandomBytes } from '@flowgate/base/random';
import { messageOf } from '@flowgate/base/text';
import { mustBe, optional } from '@flowgate/body-schema/body-members';
import { refusedFor } from '@flowgate/body-schema/body-problems';
import { problemsOf } from '@flowgate/body-schema/checked-body';
import { appDescription, appName } from '@flowgate/flow-format/manifest/app-input';
import { embeddedBaseUrl } from '@flowgate/flow-format/manifest/manifest';
import { checkTogether, manifestInput, manifestOf } from '@flowgate/flow-format/manifest/manifest-input';
import { appId, version } from '@flowgate/flow-format/manifest/registry-members';
import { z } from 'zod';
import type { EmbeddedEntry, RegistryStore } from '../registry/registry-store.ts';
import type { LoadedApp } from './embedded-app.ts';

/** The owner of embedded apps. A token's `sub` is never empty (identity/tokens/token-claims), so no caller can be this user. */
export const embeddedOwnerId = '';

const callable = z.custom<(...values: readonly unknown[]) => unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
});

const embeddedApp = () =>
  z
    .object(
      {
        appId: appId(),
        name: appName(),
        description: optional(appDescription()),
        version: version(),
        ...manifestInput(),
        renderStep: callable,
        health: optional(callable),
      },
      mustBe('an object'),
    )
    .superRefine(checkTogether);

/** `path` is the key in the configuration, `module` its value. */
type AppProblem = { readonly path: string; readonly module: string; readonly message: string };

export type EmbeddedApps = {
  readonly apps: readonly LoadedApp[];
  readonly problems: readonly AppProblem[];
};

/** Loads the modules, which runs their code. Paths are relative to the working directory. */
export async function tryEmbeddedApps(paths: readonly string[]): Promise<EmbeddedApps> {
  const problems: AppProblem[] = [];
  const apps: LoadedApp[] = [];
  for (const [at, path] of paths.entries()) {
    const loaded = await load(path);
    const problem = typeof loaded === 'string' ? loaded : apps.some(isTwinOf(loaded)) ? 'is there twice' : undefined;
    if (problem !== undefined) problems.push({ path: `flow.embeddedApps[${at}]`, module: path, message: problem });
    else if (typeof loaded !== 'string') apps.push(loaded);
  }
  return { apps, problems };
}

/** Throws an Error that lists every problem. */
export async function loadEmbeddedApps(paths: readonly string[]): Promise<readonly LoadedApp[]> {
  const { apps, problems } = await tryEmbeddedApps(paths);
  if (problems.length > 0)
    throw new Error(problems.map(({ path, module, message }) => `${path} (${module}): ${message}`).join('\n  '));
  return apps;
}

export type EmbeddedRegistryDeps = {
  readonly store: Pick<RegistryStore, 'replaceEmbedded'>;
  readonly randomBytes: RandomBytes;
  readonly creationTime: () => number;
};

/** Registers the apps as public, with active versions, and retires versions that are no longer configured. Called at each start. Throws an Error for the operator, or `Unavailable`. */
export async function registerEmbeddedApps(deps: EmbeddedRegistryDeps, apps: readonly LoadedApp[]): Promise<void> {
  const entries = apps.map((app) => entryOf(app, deps));
  const foreign = await deps.store.replaceEmbedded(embeddedOwnerId, entries, deps.creationTime());
  if (foreign.length > 0)
    throw new Error(`flow.embeddedApps: the publisher of ${[...new Set(foreign)].join(', ')} belongs to a user`);
}

function entryOf(
  { appId, name, description, version, manifest }: LoadedApp,
  { randomBytes, creationTime }: EmbeddedRegistryDeps,
): EmbeddedEntry {
  const createdAtMs = creationTime();
  return {
    app: {
      appId,
      ownerId: embeddedOwnerId,
      name,
      ...(description === undefined ? {} : { description }),
      visibility: 'public',
      subjectSalt: randomBytes(32).toString('base64url'),
      createdAtMs,
    },
    // Calls within the process are not signed.
    version: { appId, version, manifest, sealedSecret: '', status: 'active', createdAtMs, healthMisses: 0 },
  };
}

/** The app, or the problem. */
async function load(path: string): Promise<LoadedApp | string> {
  let module: { readonly default?: unknown };
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    return `cannot be loaded: ${messageOf(error)}`;
  }
  const exported = module.default;
  if (exported === undefined) return 'has no default export';
  const checked = embeddedApp().safeParse(exported);
  if (!checked.success) return `the default export is no app: ${refusedFor(problemsOf(checked.error)).detail}`;
  const { appId, name, description, version, renderStep, health, ...members } = checked.data;
  return {
    appId,
    name,
    ...(description === undefined ? {} : { description }),
    version,
    manifest: manifestOf(embeddedBaseUrl, members),
    // Called on the exported object, which may be an instance of a class.
    renderStep: (request) => renderStep.call(exported, request),
    health: () => health?.call(exported),
  };
}

function isTwinOf({ appId, version }: LoadedApp): (other: LoadedApp) => boolean {
  const plain = (name: string) => name.replace(/\+.*/, '');
  return (other) => other.appId === appId && plain(other.version) === plain(version);
}
