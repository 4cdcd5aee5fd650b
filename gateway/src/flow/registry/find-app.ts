/** One app, as its caller may see it (contract/flow-apps#registry). */

import type { App } from '@flowgate/client/flow-wire';
import { ok, type Result } from '../../platform/result.ts';
import { appView } from './app.ts';
import { visibleApp } from './app-access.ts';
import type { RegistryStore } from './registry-store.ts';
import { latestVersion } from './semantic-version.ts';

/** Throws `Unavailable` when the store is away. */
export async function findApp(
  store: Pick<RegistryStore, 'findApp' | 'activeVersions'>,
  callerId: string,
  appId: string,
): Promise<Result<App, 'not-found'>> {
  const app = await visibleApp(store, callerId, appId);
  if (!app.ok) return app;
  return ok(appView(app.value, latestVersion(await store.activeVersions([appId]))?.version));
}
