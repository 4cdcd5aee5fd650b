/** The Flow Apps that run in this process: their modules are loaded and registered before anything listens. */

import { createDistinctTimes } from '@flowgate/base/clock';
import type { Config } from '../config/config.ts';
import type { LoadedApp } from '../flow/apps/embedded-app.ts';
import { loadEmbeddedApps, registerEmbeddedApps } from '../flow/apps/load-embedded-apps.ts';
import type { RegistryStore } from '../flow/registry/registry-store.ts';
import { createSqlRegistryStore } from '../flow/registry/sql-registry-store.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Storage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

export type EmbeddedApps = {
  readonly loaded: readonly LoadedApp[];
  readonly registry: RegistryStore;
  /** The creation time of new Flow objects, in milliseconds since the Unix epoch; never the same twice. */
  readonly creationTime: () => number;
  /** Whether the registry had an active version of any app when the process started. */
  readonly hasActiveVersions: boolean;
  readonly hooks: ModuleHooks;
};

/** Rejects with a message for the operator when an app cannot be run. */
export async function openEmbeddedApps(
  { flow }: Pick<Config, 'flow'>,
  { clock, randomBytes }: Runtime,
  { storage }: { readonly storage: Storage },
): Promise<EmbeddedApps> {
  const registry = createSqlRegistryStore(storage.database, storage.audited);
  const creationTime = createDistinctTimes(clock);
  const loaded = await loadEmbeddedApps(flow.embeddedApps);
  await registerEmbeddedApps({ store: registry, randomBytes, creationTime }, loaded);
  const { versions } = await registry.probeBatch(undefined, 1);
  return { loaded, registry, creationTime, hasActiveVersions: versions.length > 0, hooks: moduleHooks() };
}
