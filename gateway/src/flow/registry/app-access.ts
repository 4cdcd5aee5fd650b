/** Which app a caller may see, and which it may publish to (contract/conventions, contract/flow-apps#registry). */

import { ok, type Result, refused } from '../../platform/result.ts';
import { type AppRecord, isVisibleTo } from './app.ts';
import { isAppId } from './app-id.ts';
import type { RegistryStore } from './registry-store.ts';

type Apps = Pick<RegistryStore, 'findApp'>;

/** Another user's private app reads like an absent one. */
export async function visibleApp(
  store: Apps,
  callerId: string,
  appId: string,
): Promise<Result<AppRecord, 'not-found'>> {
  // Other texts may contain what a database does not accept.
  const app = isAppId(appId) ? await store.findApp(appId) : undefined;
  return app !== undefined && isVisibleTo(app, callerId) ? ok(app) : refused('not-found', 'There is no such app.');
}

/** Another user's public app is 403, a private one 404. */
export async function ownApp(
  store: Apps,
  callerId: string,
  appId: string,
): Promise<Result<AppRecord, 'not-found' | 'not-permitted'>> {
  const app = await visibleApp(store, callerId, appId);
  if (!app.ok || app.value.ownerId === callerId) return app;
  return refused('not-permitted', 'Only the owner of the app may do this.');
}
