/** Which apps a caller may see, use, and publish to (contract/conventions, contract/flow-apps#registry, contract/firewall-resources#flow-apps). */

import { ok, type Refused, type Result, refused } from '@flowgate/base/result';
import { isAppId } from '@flowgate/flow-format/manifest/app-id';
import type { Caller } from '../../api/caller.ts';
import type { Firewall, GuardedResource } from '../../api/firewall.ts';
import { type AppRecord, isVisibleTo } from './app.ts';
import type { RegistryStore } from './registry-store.ts';

export type AppDeps = { readonly registry: Pick<RegistryStore, 'findApp'>; readonly firewall: Firewall };

const noApp = refused('not-found', 'There is no such app.');

/** Another user's private app looks absent, unless an `allow` policy of its owner names the caller. */
export async function visibleApp(
  { registry, firewall }: AppDeps,
  caller: Caller,
  appId: string,
): Promise<Result<AppRecord, 'not-found'>> {
  const app = await appNamed(registry, appId);
  if (app === undefined) return noApp;
  return (await isVisible(firewall, caller, app)) ? ok(app) : noApp;
}

/** The app, if the caller may see it and no policy denies it. */
export async function usableApp(
  deps: AppDeps,
  caller: Caller,
  appId: string,
): Promise<Result<AppRecord, 'not-found' | 'denied' | 'unavailable'>> {
  const app = await visibleApp(deps, caller, appId);
  if (!app.ok) return app;
  return (await appDenial(deps.firewall, caller, app.value)) ?? app;
}

/** The members that decide who may use an app. They never change. */
type AppOwnership = Pick<AppRecord, 'appId' | 'ownerId' | 'visibility'>;

/** For what a caller has begun with an app that was visible then: returns undefined if the caller may continue. `known`: the app, if it was already read. */
export async function appRefusal(
  { registry, firewall }: AppDeps,
  caller: Caller,
  appId: string,
  known?: Omit<AppOwnership, 'appId'>,
): Promise<Refused<'denied' | 'unavailable'> | undefined> {
  const app = known === undefined ? await appNamed(registry, appId) : { ...known, appId };
  if (app === undefined) return undefined;
  return (await isVisible(firewall, caller, app)) ? appDenial(firewall, caller, app) : refused('denied');
}

/** Another user's public app is 403, a private one 404. */
export async function ownApp(
  registry: AppDeps['registry'],
  callerId: string,
  appId: string,
): Promise<Result<AppRecord, 'not-found' | 'not-permitted'>> {
  const app = await appNamed(registry, appId);
  if (app === undefined || !isVisibleTo(app, callerId)) return noApp;
  return app.ownerId === callerId ? ok(app) : refused('not-permitted', 'Only the owner of the app may do this.');
}

/** Other texts may contain characters that a database does not accept. */
async function appNamed(registry: AppDeps['registry'], appId: string): Promise<AppRecord | undefined> {
  return isAppId(appId) ? registry.findApp(appId) : undefined;
}

function resourceOf({ appId, ownerId }: AppOwnership): GuardedResource {
  return { kind: 'app', key: appId, ownerId };
}

/** Whether the caller sees the app. */
export async function isVisible(firewall: Firewall, caller: Caller, app: AppOwnership): Promise<boolean> {
  if (isVisibleTo(app, caller.userId)) return true;
  if (firewall.isIdle) return false;
  const rules = await firewall.rulesFor(caller, [app.ownerId]);
  // While the policies are unknown, a shared app looks absent.
  return rules !== 'unavailable' && rules.isNamed(resourceOf(app));
}

async function appDenial(
  firewall: Firewall,
  caller: Caller,
  app: AppOwnership,
): Promise<Refused<'denied' | 'unavailable'> | undefined> {
  if (firewall.isIdle) return undefined;
  const rules = await firewall.rulesFor(caller, [app.ownerId]);
  if (rules === 'unavailable') return refused('unavailable', 'The policies cannot be read right now.');
  return rules.allows(resourceOf(app), {}) ? undefined : refused('denied');
}
