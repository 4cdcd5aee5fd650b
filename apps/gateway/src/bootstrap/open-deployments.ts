/** Opens deployed contracts: the record that precedes each of them, the list for their users, and the leader that follows them. */

import { createTypeIds } from '@flowgate/base/ids';
import { errorPlace } from '@flowgate/base/text';
import { meteredLeadership } from '@flowgate/sql/coordination/metered-leadership';
import { runWhileLeader } from '@flowgate/sql/coordination/run-while-leader';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import type { Config } from '../config/config.ts';
import { createDeploymentRecorder } from '../resources/contracts/deployment-recorder.ts';
import { deploymentRoutes } from '../resources/contracts/deployment-routes.ts';
import { type FollowedNetwork, followDeployments } from '../resources/contracts/follow-deployments.ts';
import { recordDeployments } from '../resources/contracts/record-deployments.ts';
import { createSqlDeploymentStore } from '../resources/contracts/sql-deployment-store.ts';
import type { Network } from '../upstream/networks/network.ts';
import { ownNodesOf } from '../upstream/networks/own-nodes.ts';
import type { NodePort } from '../upstream/port/node-port.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Storage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

export type Deployments = {
  /** The way to a network's nodes, or to one of them, for callers: it records what they deploy. Only EVM networks have contracts that are created by a transaction. */
  readonly recorded: (pool: NodePort, network: Network) => NodePort;
  readonly hooks: ModuleHooks;
};

export function openDeployments(
  config: Config,
  { clock, timeSlices, randomBytes, log, nodeId, instruments }: Runtime,
  { storage, ledgers }: { readonly storage: Storage; readonly ledgers: Ledgers },
): Deployments {
  const store = createSqlDeploymentStore(storage.database);
  const newId = createTypeIds(clock, randomBytes);
  const recorder = createDeploymentRecorder({ store, clock, newId, timeSlices, log });
  const networks = config.networks.flatMap(({ dlt, networkId, confirmations }): readonly FollowedNetwork[] => {
    const network = ledgers.networks.network(dlt, networkId);
    return network?.chainId === undefined ? [] : [{ dlt, networkId, confirmations, pool: ownNodesOf(network.nodes) }];
  });
  const running = new AsyncDisposableStack();
  return {
    recorded: (pool, { dlt, networkId, chainId }) =>
      chainId === undefined ? pool : recordDeployments(pool, { dlt, networkId, chainId }, recorder),
    hooks: moduleHooks({
      routes: deploymentRoutes(store),
      start() {
        if (networks.length === 0) return;
        const job = 'deployed contracts';
        const leadership = runWhileLeader({
          leases: createSqlLeaseStore(storage.database),
          name: job,
          holder: nodeId,
          clock,
          work: (lease, signal) => followDeployments({ store, networks, clock, timeSlices, log }, lease, signal),
          onError: (error) => log.error('deployment.following-failed', errorPlace(error)),
        });
        running.defer(meteredLeadership(leadership, instruments?.leader, job).stop);
      },
      close: () => running.disposeAsync(),
    }),
  };
}
