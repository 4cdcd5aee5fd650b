/** Finds and lists the versions of an app that a caller may see, retired ones included (contract/flow-apps#registry). */

import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import { isSemanticVersion } from '@flowgate/flow-format/manifest/semantic-version';
import type { Caller } from '../../api/caller.ts';
import { type AppParts, visibleApp } from './app-access.ts';
import type { RegistryStore } from './registry-store.ts';
import { type Version, versionView } from './version-wire.ts';

/** Throws `Unavailable` when the storage is unavailable. */
export async function findVersion(
  parts: AppParts & { readonly registry: Pick<RegistryStore, 'findVersion'> },
  caller: Caller,
  appId: string,
  version: string,
): Promise<Result<Version, 'not-found'>> {
  const app = await visibleApp(parts, caller, appId);
  if (!app.ok) return app;
  const record = isSemanticVersion(version) ? await parts.registry.findVersion(appId, version) : undefined;
  return record === undefined ? refused('not-found', 'The app has no such version.') : ok(versionView(record));
}

/** Newest first. Paged by `?limit=` and `?cursor=` (contract/conventions#lists). Throws `Unavailable` when the storage is unavailable. */
export async function listVersions(
  parts: AppParts & { readonly registry: Pick<RegistryStore, 'listVersions'> },
  caller: Caller,
  appId: string,
  query: URLSearchParams,
): Promise<Result<Page<Version>, 'bad-request' | 'not-found'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: isSemanticVersion });
  if (!page.ok) return page;
  const app = await visibleApp(parts, caller, appId);
  if (!app.ok) return app;
  const { records, next } = await parts.registry.listVersions(appId, page.value);
  const data = records.map((record) => versionView(record));
  return ok(pageOf(data, next));
}
