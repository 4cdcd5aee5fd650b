/**
 * Calls a contract for a user who chooses the contract. The same policies apply as if the user made the call through
 * JSON-RPC (contract/firewall-resources#rest).
 */

import type { Caller } from '../api/caller.ts';
import type { Firewall } from '../api/firewall.ts';
import { type CallOutcome, type ContractCall, callOwnNodes } from '../upstream/networks/contract-call.ts';
import type { Network } from '../upstream/networks/network.ts';

/**
 * `called`: further contracts, in lower case, that the caller must also be permitted to call with this selector. They
 * are checked in addition to `to`.
 */
export type PermittedCall = ContractCall & { readonly called?: readonly string[]; readonly selector: string };

export type PermittedOutcome =
  | CallOutcome
  /** A policy refuses the call. No node was called. */
  | { readonly kind: 'denied' }
  /** The policies could not be loaded. No node was called. */
  | { readonly kind: 'policies-unknown' };

const use = { method: 'eth_call' } as const;

/** The same as `callOwnNodes`, without the nodes that policies deny to the caller. Never throws. */
export async function callPermitted(
  firewall: Firewall,
  caller: Caller,
  network: Pick<Network, 'dlt' | 'networkId' | 'nodes'>,
  { called = [], selector, ...call }: PermittedCall,
): Promise<PermittedOutcome> {
  if (firewall.isIdle) return callOwnNodes(network.nodes, call, caller.userId);
  const rules = await firewall.rulesFor(caller);
  if (rules === 'unavailable') return { kind: 'policies-unknown' };
  const key = `${network.dlt}/${network.networkId}`;
  const permits = (to: string) =>
    rules.allows({ kind: 'contract', key: `${key}/${to}` }, { selector, paddedSelector: selector });
  const created = call.to === undefined ? rules.allows({ kind: 'contract', key: `${key}/create` }, {}) : true;
  const contracts = call.to === undefined ? called : [call.to, ...called];
  if (!rules.allows({ kind: 'network', key }, use) || !created || !contracts.every(permits)) return { kind: 'denied' };
  const nodes = network.nodes.filter(({ nodeId }) => rules.allows({ kind: 'node', key: nodeId }, use));
  return nodes.length === 0 ? { kind: 'denied' } : callOwnNodes(nodes, call, caller.userId);
}
