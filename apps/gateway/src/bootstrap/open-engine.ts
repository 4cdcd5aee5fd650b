/** Composes the wrappers that callers' calls pass on the way to a network's nodes: a list of wrappers of one port, the innermost first. */

import type { Config } from '../config/config.ts';
import { alignBatches } from '../rpc/engine/heads/align-batches.ts';
import { guardSharedNodes } from '../rpc/engine/heads/guard-shared-nodes.ts';
import { createReportedHeads, type ReportedHeadsDeps } from '../rpc/engine/heads/reported-heads.ts';
import { transactionKinds } from '../rpc/engine/transactions/transaction-kinds.ts';
import { sendTransactions } from '../rpc/engine/transactions/transactions.ts';
import type { WrapPort } from '../rpc/target.ts';
import type { Network } from '../upstream/networks/network.ts';
import type { JsonText, NodePort } from '../upstream/port/node-port.ts';
import { errorFault } from '../upstream/response/error-faults.ts';
import { openCaches } from './open-caches.ts';
import type { Deployments } from './open-deployments.ts';
import { openFiltersAndLogs } from './open-filters-and-logs.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Sharing } from './open-sharing.ts';
import type { Runtime } from './runtime.ts';

export type Engine = { readonly wrap: WrapPort; readonly hooks: ModuleHooks };

type Modules = { readonly deployments: Deployments; readonly ledgers: Ledgers; readonly sharing: Sharing };

export function openEngine(config: Config, runtime: Runtime, modules: Modules): Engine {
  const { deployments, ledgers } = modules;
  const { outbound, networks } = config;
  const { clock, timerWheel } = runtime;
  const { answerBudget: budget } = ledgers;
  const caches = openCaches(config, runtime, ledgers);
  const timeoutMs = outbound.nodeTimeoutSeconds * 1000;
  const filtersAndLogs = openFiltersAndLogs(config, runtime, modules);
  function transactions(port: NodePort, network: Network, scope: 'whole' | 'one'): NodePort {
    const { name, reads } = network.chain.family;
    const kind = transactionKinds[name];
    const { broadcast = 1 } = networks.find(isConfigured(network)) ?? {};
    const parts = { clock, budget, timeoutMs, kind, reads, broadcast };
    return sendTransactions(guarded(port, network, scope), scope === 'whole' ? network : undefined, parts);
  }
  function guarded(port: NodePort, { heads, hasSharedNodes, chain: { family } }: Network, scope: 'whole' | 'one') {
    return heads === undefined || scope === 'one' ? port : guardSharedNodes(port, { heads, family, hasSharedNodes });
  }
  function headsOf({ heads, noteHead, ownNodes, chain: { family } }: Network): ReportedHeadsDeps | undefined {
    const { reads } = family;
    return heads && { heads, noteHead, ownNodes, family, reads, budget, clock, timerWheel, timeoutMs, isNodeError };
  }
  return {
    wrap(pool, network, scope) {
      const recorded = deployments.recorded(transactions(pool, network, scope), network);
      const filtered = filtersAndLogs.filters(recorded, network);
      const parts = scope === 'whole' ? headsOf(network) : undefined;
      if (parts === undefined) {
        const bounded = filtersAndLogs.logs(filtered, network, scope);
        return scope === 'whole' ? caches.cached(bounded, network) : bounded;
      }
      // Each piece of a range of logs is a separate call, which is evaluated with the node that answered it.
      const evaluated = createReportedHeads(parts)(filtered);
      return alignBatches(parts, caches.cached(filtersAndLogs.logs(evaluated, network, scope), network));
    },
    hooks: moduleHooks({ close: caches.close }),
  };
}

function isNodeError(error: JsonText): boolean {
  return errorFault(error) !== undefined;
}

function isConfigured({ dlt, networkId }: Network) {
  return (each: Config['networks'][number]) => each.dlt === dlt && each.networkId === networkId;
}
