/** Opens users' nodes: their routes, this gateway's copy of them, and their checks. */

import { createDistinctTimes } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import { errorPlace } from '@flowgate/base/text';
import { createSafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import { createPrivateHosts } from '@flowgate/http1/safe-fetch/url-vetting';
import { meteredLeadership } from '@flowgate/sql/coordination/metered-leadership';
import { runWhileLeader } from '@flowgate/sql/coordination/run-while-leader';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { createEncryptionAtRest } from '@flowgate/sql/encryption-at-rest';
import type { Config } from '../config/config.ts';
import type { LimitOverrides } from '../limits/user-limits.ts';
import { checkNodes, checksAtOnce } from '../resources/nodes/check-nodes.ts';
import { createMayCall } from '../resources/nodes/may-call.ts';
import { createAddressDigests } from '../resources/nodes/node-address.ts';
import { createCheckNode } from '../resources/nodes/node-check.ts';
import { nodeRoutes } from '../resources/nodes/node-routes.ts';
import { type NodeRecord, nodeUrlContext } from '../resources/nodes/node-store.ts';
import { createNodesCopy } from '../resources/nodes/nodes-copy.ts';
import { createOperatorNodes } from '../resources/nodes/operator-nodes.ts';
import { createRegisteredNodes, type RegisteredNodes } from '../resources/nodes/registered-nodes.ts';
import { createSqlNodeStore } from '../resources/nodes/sql-node-store.ts';
import type { OpenFirewall } from './open-firewall.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Sharing } from './open-sharing.ts';
import type { Storage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

/** Idle connections of checks that are cached for the next interval. */
const maxCheckOrigins = 1_024;

export type Nodes = { readonly registered: RegisteredNodes; readonly hooks: ModuleHooks };

type Modules = {
  readonly storage: Storage;
  readonly sharing: Sharing;
  readonly firewall: OpenFirewall;
  readonly ledgers: Ledgers;
  readonly userLimits: LimitOverrides;
};

export function openNodes(config: Config, runtime: Runtime, modules: Modules): Nodes {
  const { storage, sharing, ledgers, userLimits } = modules;
  const { firewall } = modules.firewall;
  const { clock, timerWheel, turns, log, randomBytes, instruments, nodeId: holder } = runtime;
  const { networks: directory, openOneNode } = ledgers;
  const { providers, limits, outbound, health, keys } = config;
  const encryption = createEncryptionAtRest(keys.peppers, randomBytes);
  const safeFetch = createSafeFetch({
    allowPrivateHosts: outbound.allowPrivateHosts,
    timerWheel,
    turns,
    clock,
    maxOrigins: maxCheckOrigins,
    // All checks that are in progress may be at one provider.
    maxConnectionsPerOrigin: checksAtOnce.answering.maxRunning,
  });
  const openUrl = (record: NodeRecord) => encryption.open(record.sealedUrl, nodeUrlContext(record.nodeId));
  const check = createCheckNode({ request: safeFetch.request, clock });
  const store = createSqlNodeStore(storage.database, storage.audited);
  const mayCall = createMayCall(firewall);
  const registered = createRegisteredNodes({
    ...{ directory, openOneNode, openUrl, mayCall, timerWheel, clock },
    addressesOf: safeFetch.addressesOf,
    poolDeps: { clock, timeoutMs: outbound.nodeTimeoutSeconds * 1000 },
  });
  const copy = createNodesCopy({ store, registered, pubSub: sharing.pubSub, clock, log });
  const { changed } = copy;
  const rules = { providers, isPrivateAllowed: createPrivateHosts(outbound.allowPrivateHosts) };
  const operatorNodes = createOperatorNodes(config.networks, directory, providers);
  const networkOf = (record: NodeRecord) => directory.network(record.dlt, record.networkId);
  const lead = () => {
    const job = 'node checks';
    const leadership = runWhileLeader({
      ...{ leases: createSqlLeaseStore(storage.database), name: job, holder, clock },
      work(_lease, signal) {
        log.info('nodes.leading');
        return checkNodes(
          {
            nodes: () => Iterator.from(registered.all()).map(({ record }) => record),
            revision: registered.revision,
            check: (record) => checkStored(record),
            ...{ store, changed, clock, log },
            intervalMs: health.intervalSeconds * 1000,
          },
          signal,
        );
      },
      onError: (error) => log.error('nodes.checks-failed', errorPlace(error)),
    });
    return meteredLeadership(leadership, instruments?.leader, job);
  };
  const checkStored = async (record: NodeRecord) => {
    const url = openUrl(record);
    const network = networkOf(record);
    if (url === undefined || network === undefined)
      return { kind: 'no-answer', detail: 'its URL cannot be decrypted' } as const;
    // Nodes that answered share connections to one provider. Those that did not have their owner's own, of which they may keep all.
    const tenant = record.status === 'unhealthy' ? record.ownerId : '';
    return check({ url, vouched: record.kind === 'private', chain: network.chain, tenant });
  };
  const running = new AsyncDisposableStack();
  running.defer(safeFetch.close);
  running.defer(registered.close);
  return {
    registered,
    hooks: moduleHooks({
      routes: nodeRoutes({
        ...{
          rules,
          check,
          store,
          directory,
          encryption,
          registered,
          mayCall,
          firewall,
          operatorNodes,
          openUrl,
          changed,
        },
        digestsOf: createAddressDigests(keys.peppers),
        maxNodes: (userId) => userLimits.of(userId)?.nodes ?? limits.nodesPerUser,
        newId: createTypeIds(clock, randomBytes),
        creationTime: createDistinctTimes(clock),
        isOperatorNode: (nodeId) => operatorNodes.some((each) => each.nodeId === nodeId),
        startedAtMs: clock.now(),
      }),
      start() {
        running.defer(copy.start());
        running.defer(lead().stop);
      },
      close: () => running.disposeAsync(),
    }),
  };
}
