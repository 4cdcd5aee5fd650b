/** Finds and lists the apps that a caller may see (contract/flow-apps#registry). */

import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result } from '@flowgate/base/result';
import { isAppId } from '@flowgate/flow-format/manifest/app-id';
import { latestVersion } from '@flowgate/flow-format/manifest/semantic-version';
import type { Caller } from '../../api/caller.ts';
import type { AppRecord } from './app.ts';
import { type AppDeps, isVisible, visibleApp } from './app-access.ts';
import { type App, appView } from './app-wire.ts';
import type { RegistryStore } from './registry-store.ts';

/** Throws `Unavailable` if the storage is unavailable. */
export async function findApp(
  deps: AppDeps & { readonly registry: Pick<RegistryStore, 'activeVersions'> },
  caller: Caller,
  appId: string,
): Promise<Result<App, 'not-found'>> {
  const app = await visibleApp(deps, caller, appId);
  if (!app.ok) return app;
  return ok(appView(app.value, latestVersion(await deps.registry.activeVersions([appId]))?.version));
}

/**
 * Public apps, the caller's own, and private apps that are shared with the caller, newest first. Paged by `?limit=` and `?cursor=` (contract/conventions#lists). Throws
 * `Unavailable` if the storage is unavailable.
 */
export async function listApps(
  deps: AppDeps & { readonly registry: Pick<RegistryStore, 'listApps' | 'activeVersions'> },
  caller: Caller,
  query: URLSearchParams,
): Promise<Result<Page<App>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: isAppId });
  if (!page.ok) return page;
  const { registry } = deps;
  const subjects = deps.firewall.isIdle ? [] : subjectsOf(caller);
  const { records, next } = await registry.listApps(caller.userId, page.value, subjects);
  const seen = await visibleOnes(deps, caller, records);
  // One query for the whole page.
  const active = Map.groupBy(await registry.activeVersions(seen.map(({ appId }) => appId)), ({ appId }) => appId);
  const data = seen.map((app) => appView(app, latestVersion(active.get(app.appId) ?? [])?.version));
  return ok(pageOf(data, next));
}

/** The caller as a subject of policies. */
function subjectsOf({ userId, keyId, roles }: Caller): readonly string[] {
  return [
    '*',
    `user:${userId}`,
    ...(keyId === undefined ? [] : [`key:${keyId}`]),
    ...roles.map((role) => `role:${role}`),
  ];
}

async function visibleOnes(
  deps: AppDeps,
  caller: Caller,
  records: readonly AppRecord[],
): Promise<readonly AppRecord[]> {
  const seen: AppRecord[] = [];
  for (const app of records) if (await isVisible(deps.firewall, caller, app)) seen.push(app);
  return seen;
}
