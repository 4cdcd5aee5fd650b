/** Answers a query that an app has declared, from what the app keeps for the caller (contract/flow-apps#app-data). */

import type { QueryResult } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../api/route.ts';
import { type Ok, ok, refused } from '../../platform/result.ts';
import { isAppId } from '../registry/app-id.ts';
import { firstName, valueAt } from '../registry/json-pointer.ts';
import type { RegistryStore } from '../registry/registry-store.ts';
import { resolveVersion } from '../registry/resolve-version.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { FilterKeptData } from '../validation/filter-kept-data.ts';
import type { SessionStore } from './session-store.ts';

export type QueryParts = {
  readonly registry: Pick<RegistryStore, 'findApp' | 'findVersion' | 'activeVersions' | 'listVersions'>;
  readonly store: Pick<SessionStore, 'appData' | 'appDatum'>;
  readonly secrets: Pick<KnownSecrets, 'of'>;
  readonly filterKept: FilterKeptData;
};

/** As the latest active version declares it; `data` is null where nothing is kept. Throws `Unavailable`. */
export async function queryApp(
  { registry, store, secrets, filterKept }: QueryParts,
  userId: string,
  appId: string,
  queryId: string,
): Promise<Ok<QueryResult> | RouteRefusal> {
  if (!isAppId(appId)) return refused('not-found', 'There is no such app.');
  const resolved = await resolveVersion(registry, userId, appId);
  if (!resolved.ok) return resolved;
  const { version } = resolved.value;
  const query = version.manifest.queries.find((each) => each.queryId === queryId);
  if (query === undefined)
    return refused('not-found', `Version ${version.version} of ${appId} declares no such query.`);
  const data = (await selected(store, userId, appId, query.path)) ?? null;
  // Behind the data: a secret is remembered before the app that writes it there gets it.
  return (await filterKept({ userId, appId }, data, await secrets.of(userId, appId))) ?? ok({ data });
}

/** Of everything kept, only what lies under the pointer's first name is read. */
async function selected(store: QueryParts['store'], userId: string, appId: string, path: string): Promise<unknown> {
  const name = firstName(path);
  if (name === undefined) return (await store.appData(userId, appId)).members;
  // What is no name may hold what a database cannot take.
  if (name.includes('\0')) return undefined;
  return valueAt({ [name]: await store.appDatum(userId, appId, name) }, path);
}
