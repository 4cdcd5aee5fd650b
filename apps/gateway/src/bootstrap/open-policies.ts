/** Opens the routes of policies. */

import { createDistinctTimes } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import { type PolicyRouteDeps, policyRoutes } from '../firewall/policy-routes.ts';
import { createSqlApiKeyStore } from '../identity/keys/sql-api-key-store.ts';
import type { NetworkDirectory } from '../upstream/networks/network.ts';
import type { EmbeddedApps } from './open-embedded-apps.ts';
import type { OpenFirewall } from './open-firewall.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Nodes } from './open-nodes.ts';
import type { Storage } from './open-storage.ts';
import type { Usage } from './open-usage.ts';
import type { Runtime } from './runtime.ts';

type Modules = {
  readonly storage: Storage;
  readonly firewall: OpenFirewall;
  readonly ledgers: Ledgers;
  readonly nodes: Nodes;
  readonly apps: EmbeddedApps;
  readonly usage: Usage;
};

export function openPolicies(
  { clock, timeSlices: slices, randomBytes }: Runtime,
  { storage, firewall: { store, known }, ledgers, nodes, apps, usage }: Modules,
): { readonly hooks: ModuleHooks } {
  const keys = createSqlApiKeyStore(storage.database, storage.audited);
  const deps: PolicyRouteDeps = {
    store,
    known,
    changed: known.changed,
    reload: known.load,
    newId: createTypeIds(clock, randomBytes),
    ...{ clock, slices },
    creationTime: createDistinctTimes(clock),
    findNode: async (nodeId) => nodeOf(ledgers.networks, nodeId) ?? registeredNode(nodes.registered, nodeId),
    async findApp(appId) {
      const app = await apps.registry.findApp(appId);
      return app === undefined ? undefined : { ownerId: app.ownerId, isOpen: app.visibility === 'public' };
    },
    findKey: (keyId) => keys.find(keyId),
    readCalls: usage.readCalls,
  };
  return { hooks: moduleHooks({ routes: policyRoutes(deps) }) };
}

function nodeOf({ all }: NetworkDirectory, nodeId: string) {
  for (const { dlt, networkId, nodes } of all)
    if (nodes.some((node) => node.nodeId === nodeId)) return { isOpen: true, network: `${dlt}/${networkId}` };
  return undefined;
}

function registeredNode({ all }: Nodes['registered'], nodeId: string) {
  for (const { record } of all())
    if (record.nodeId === nodeId)
      return { ownerId: record.ownerId, isOpen: record.shared, network: `${record.dlt}/${record.networkId}` };
  return undefined;
}
