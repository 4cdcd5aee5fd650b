/** Opens JSON-RPC: maps the path of a call to its target. */

import { decodeRawTransaction } from '@flowgate/chain/transactions/raw-transaction';
import { type CallGuards, createCallGuards } from '../rpc/call-guard.ts';
import type { Subscriptions } from '../rpc/subscriptions/subscriptions.ts';
import { createRpcTargets, type RpcTargets } from '../rpc/target.ts';
import type { Listener } from './listener.ts';
import type { Engine } from './open-engine.ts';
import type { OpenFirewall } from './open-firewall.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Nodes } from './open-nodes.ts';

export type Rpc = {
  readonly targets: RpcTargets;
  readonly guards: CallGuards;
  readonly subscriptions: Subscriptions;
  readonly hooks: ModuleHooks;
};

type Modules = {
  readonly ledgers: Ledgers;
  readonly nodes: Nodes;
  readonly firewall: OpenFirewall;
  readonly engine: Engine;
  readonly listener: Listener;
  readonly subscriptions: Subscriptions;
};

export function openRpc({ ledgers, nodes, firewall, engine, listener, subscriptions }: Modules): Rpc {
  return {
    targets: createRpcTargets(ledgers.networks, engine.wrap, nodes.registered, firewall.firewall, listener.url),
    guards: createCallGuards(firewall.firewall, decodeRawTransaction),
    subscriptions,
    hooks: moduleHooks(),
  };
}
