/** Decides which version a session runs: the requested one, or the latest active one (contract/flow-apps#versions). */

import { ok, type Result, refused } from '@flowgate/base/result';
import { isSemanticVersion, latestVersion } from '@flowgate/flow-format/manifest/semantic-version';
import type { Caller } from '../../api/caller.ts';
import type { AppRecord } from './app.ts';
import { type AppDeps, usableApp } from './app-access.ts';
import type { RegistryStore } from './registry-store.ts';
import type { VersionRecord } from './version.ts';

export type ResolvedVersion = { readonly app: AppRecord; readonly version: VersionRecord };

type Versions = Pick<RegistryStore, 'findVersion' | 'activeVersions' | 'listVersions'>;

export type ResolveDeps = AppDeps & { readonly registry: Versions };

type Unusable = 'not-found' | 'denied' | 'unavailable' | 'gone';

/** A version can be retired between two queries, so the search for the latest one is repeated this often. */
const looks = 3;

/**
 * `not-found`: no such app for this caller, no such version, or none was ever published. `denied`: by a policy. `gone`: the version is retired, or all are. `bad-request`: not a
 * semantic version. The version found is active, but may be unhealthy. Throws `Unavailable`.
 */
export function resolveVersion(
  deps: ResolveDeps,
  caller: Caller,
  appId: string,
): Promise<Result<ResolvedVersion, Unusable>>;
export function resolveVersion(
  deps: ResolveDeps,
  caller: Caller,
  appId: string,
  version: string | undefined,
): Promise<Result<ResolvedVersion, Unusable | 'bad-request'>>;
export async function resolveVersion(
  deps: ResolveDeps,
  caller: Caller,
  appId: string,
  version?: string,
): Promise<Result<ResolvedVersion, Unusable | 'bad-request'>> {
  if (version !== undefined && !isSemanticVersion(version))
    return refused('bad-request', 'version must be a semantic version (semver.org), such as 1.0.0');
  const app = await usableApp(deps, caller, appId);

  if (!app.ok) return app;
  const store = deps.registry;
  const found = version === undefined ? await latest(store, appId) : await store.findVersion(appId, version);
  if (found === 'retired' || (found !== undefined && found.status === 'retired'))
    return refused('gone', version === undefined ? 'Every version of the app is retired.' : 'The version is retired.');
  if (found !== undefined) return ok({ app: app.value, version: found });
  return refused(
    'not-found',
    version === undefined ? 'The app has no published version.' : 'The app has no such version.',
  );
}

async function latest(store: Versions, appId: string): Promise<VersionRecord | 'retired' | undefined> {
  for (let look = 0; look < looks; look++) {
    const chosen = latestVersion(await store.activeVersions([appId]));
    if (chosen === undefined) break;
    const record = await store.findVersion(appId, chosen.version);
    if (record?.status === 'active') return record;
  }
  const { records } = await store.listVersions(appId, { limit: 1 });
  return records.length > 0 ? 'retired' : undefined;
}
