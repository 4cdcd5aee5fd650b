/** Answers a query that an app has declared, from what the app keeps for the caller (decisions 8, App data and queries). */

import type { QueryResult } from '@flowgate/client/flow-wire';
import { ok, type Result, refused } from '../platform/result.ts';
import { isAppId } from './app-id.ts';
import { valueAt } from './json-pointer.ts';
import type { RegistryStore } from './registry-store.ts';
import { resolveVersion } from './resolve-version.ts';
import type { SessionStore } from './session-store.ts';

export type QueryParts = {
  readonly registry: Pick<RegistryStore, 'findApp' | 'findVersion' | 'activeVersions' | 'listVersions'>;
  readonly store: Pick<SessionStore, 'appData'>;
};

/** As the latest active version declares it; `data` is null where nothing is kept. Throws `Unavailable`. */
export async function queryApp(
  { registry, store }: QueryParts,
  userId: string,
  appId: string,
  queryId: string,
): Promise<Result<QueryResult, 'not-found' | 'gone'>> {
  if (!isAppId(appId)) return refused('not-found', 'There is no such app.');
  const resolved = await resolveVersion(registry, userId, appId);
  if (!resolved.ok) return resolved;
  const { version } = resolved.value;
  const query = version.manifest.queries.find((each) => each.queryId === queryId);
  if (query === undefined)
    return refused('not-found', `Version ${version.version} of ${appId} declares no such query.`);
  return ok({ data: valueAt(await store.appData(userId, appId), query.path) ?? null });
}
