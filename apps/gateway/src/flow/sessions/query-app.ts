/** Answers a declared query from the app's data about the caller (contract/flow-apps#app-data). */

import { type Ok, ok, refused } from '@flowgate/base/result';
import { isAppId } from '@flowgate/flow-format/manifest/app-id';
import { linkDomainsOf } from '@flowgate/flow-format/manifest/manifest';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';
import { firstName, valueAt } from '../registry/json-pointer.ts';
import { type ResolveDeps, resolveVersion } from '../registry/resolve-version.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { FilterAppData } from '../validation/filter-app-data.ts';
import type { SessionStore } from './session-store.ts';

export type QueryDeps = ResolveDeps & {
  readonly store: Pick<SessionStore, 'appData' | 'appDatum'>;
  readonly secrets: Pick<KnownSecrets, 'of'>;
  readonly filterAppData: FilterAppData;
};

/** Queries are those of the latest active version. `data` is null if no value is stored there. Throws `Unavailable`. */
export async function queryApp(
  deps: QueryDeps,
  caller: Caller,
  appId: string,
  queryId: string,
): Promise<Ok<{ readonly data: unknown }> | RouteRefusal> {
  const { store, secrets, filterAppData } = deps;
  const { userId } = caller;
  if (!isAppId(appId)) return refused('not-found', 'There is no such app.');
  const resolved = await resolveVersion(deps, caller, appId);
  if (!resolved.ok) return resolved;
  const { version } = resolved.value;
  const query = version.manifest.queries.find((each) => each.queryId === queryId);
  if (query === undefined)
    return refused('not-found', `Version ${version.version} of ${appId} declares no such query.`);
  const data = (await selected(store, userId, appId, query.path)) ?? null;
  // Read after the data: a secret's mark is stored before the app can write the secret into its data.
  return (
    (await filterAppData(
      { userId, appId },
      { data, secrets: await secrets.of(userId, appId), linkDomains: linkDomainsOf(version.manifest) },
    )) ?? ok({ data })
  );
}

/** Reads only the value under the pointer's first name. */
async function selected(store: QueryDeps['store'], userId: string, appId: string, path: string): Promise<unknown> {
  const name = firstName(path);
  if (name === undefined) return (await store.appData(userId, appId)).members;
  // Databases do not accept NUL, so no such name is stored.
  if (name.includes('\0')) return undefined;
  return valueAt({ [name]: await store.appDatum(userId, appId, name) }, path);
}
