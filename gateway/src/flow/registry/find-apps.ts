/** Finds and lists the apps that a caller may see (contract/flow-apps#registry). */

import type { App } from '@flowgate/client/flow-wire';
import { type Page, pageOf, parsePage } from '../../platform/page.ts';
import { ok, type Result } from '../../platform/result.ts';
import { visibleApp } from './app-access.ts';
import { isAppId } from './app-id.ts';
import { appView } from './app-wire.ts';
import type { RegistryStore } from './registry-store.ts';
import { latestVersion } from './semantic-version.ts';

/** Throws `Unavailable` when the storage is unavailable. */
export async function findApp(
  store: Pick<RegistryStore, 'findApp' | 'activeVersions'>,
  callerId: string,
  appId: string,
): Promise<Result<App, 'not-found'>> {
  const app = await visibleApp(store, callerId, appId);
  if (!app.ok) return app;
  return ok(appView(app.value, latestVersion(await store.activeVersions([appId]))?.version));
}

/** Public apps and the caller's own, newest first. `?limit=` 1 to 100, default 20; `?cursor=` from the page before. Throws `Unavailable` when the storage is unavailable. */
export async function listApps(
  store: Pick<RegistryStore, 'listApps' | 'activeVersions'>,
  callerId: string,
  query: URLSearchParams,
): Promise<Result<Page<App>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: isAppId });
  if (!page.ok) return page;
  const { records, next } = await store.listApps(callerId, page.value);
  // One query for the whole page.
  const active = Map.groupBy(await store.activeVersions(records.map(({ appId }) => appId)), ({ appId }) => appId);
  const data = records.map((app) => appView(app, latestVersion(active.get(app.appId) ?? [])?.version));
  return ok(pageOf(data, next));
}
