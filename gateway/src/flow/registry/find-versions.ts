/** Finds and lists the versions of an app that a caller may see, retired ones included (contract/flow-apps#registry). */

import type { Version } from '@flowgate/client/flow-wire';
import { type Page, pageOf, parsePage } from '../../platform/page.ts';
import { ok, type Result, refused } from '../../platform/result.ts';
import { visibleApp } from './app-access.ts';
import type { RegistryStore } from './registry-store.ts';
import { isSemanticVersion } from './semantic-version.ts';
import { versionView } from './version-wire.ts';

/** Throws `Unavailable` when the storage is unavailable. */
export async function findVersion(
  store: Pick<RegistryStore, 'findApp' | 'findVersion'>,
  callerId: string,
  appId: string,
  version: string,
): Promise<Result<Version, 'not-found'>> {
  const app = await visibleApp(store, callerId, appId);
  if (!app.ok) return app;
  const record = isSemanticVersion(version) ? await store.findVersion(appId, version) : undefined;
  return record === undefined ? refused('not-found', 'The app has no such version.') : ok(versionView(record));
}

/** Newest first. `?limit=` 1 to 100, default 20; `?cursor=` from the page before. Throws `Unavailable` when the storage is unavailable. */
export async function listVersions(
  store: Pick<RegistryStore, 'findApp' | 'listVersions'>,
  callerId: string,
  appId: string,
  query: URLSearchParams,
): Promise<Result<Page<Version>, 'bad-request' | 'not-found'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: isSemanticVersion });
  if (!page.ok) return page;
  const app = await visibleApp(store, callerId, appId);
  if (!app.ok) return app;
  const { records, next } = await store.listVersions(appId, page.value);
  const data = records.map((record) => versionView(record));
  return ok(pageOf(data, next));
}
