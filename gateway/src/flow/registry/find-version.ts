/** One version of an app, retired or not (contract/flow-apps#registry). */

import type { Version } from '@flowgate/client/flow-wire';
import { ok, type Result, refused } from '../../platform/result.ts';
import { visibleApp } from './app-access.ts';
import type { RegistryStore } from './registry-store.ts';
import { isSemanticVersion } from './semantic-version.ts';
import { versionView } from './version.ts';

/** Throws `Unavailable` when the store is away. */
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
