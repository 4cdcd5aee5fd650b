/** What policies permit a caller in staking contracts: the same as if the caller made the calls and sent the transactions through JSON-RPC (contract/firewall#rest). */

import type { Caller } from '../../api/caller.ts';
import type { CallerRules, Firewall } from '../../api/firewall.ts';
import { type Refused, refused } from '../../platform/result.ts';
import type { Network } from '../network.ts';
import type { StakingContract } from './staking-contract.ts';

export type PermittedStakes = {
  /** Those that the caller may read. */
  readonly contracts: readonly StakingContract[];
  /** The nodes of the network that are denied to the caller, and not asked. */
  readonly leftOutOf: (network: Network) => ReadonlySet<string> | undefined;
  /** Whether the caller may send this transaction. `to` in lower case. */
  readonly mayBeSent: (network: Network, transaction: { readonly to: string; readonly data: string }) => boolean;
};

/** `earned(address)`: who may not call it may not see positions. */
const readSelector = '0x008cc262';

export async function permittedStakes(
  firewall: Firewall,
  caller: Caller,
  contracts: readonly StakingContract[],
): Promise<PermittedStakes | Refused<'unavailable'>> {
  if (firewall.isIdle) return { contracts, leftOutOf: () => undefined, mayBeSent: () => true };
  const networks = [...new Set(contracts.map(({ network }) => network))];
  const owners = networks.flatMap((network) => network.everyNode().flatMap(({ ownerId }) => ownerId ?? []));
  const rules = await firewall.rulesFor(caller, [...new Set(owners)]);
  if (rules === 'unavailable') return refused('unavailable', 'It is not known right now what policies permit.');
  const permits = ({ dlt, networkId }: Network, method: string, to: string, selector: string) =>
    rules.allows({ kind: 'network', key: `${dlt}/${networkId}` }, { method }) &&
    rules.allows({ kind: 'contract', key: `${dlt}/${networkId}/${to}` }, { selector, paddedSelector: selector });
  const leftOut = new Map(networks.map((network) => [network, deniedNodes(rules, network)]));
  const hasNode = (network: Network) => network.everyNode().some(({ nodeId }) => !leftOut.get(network)?.has(nodeId));
  return {
    contracts: contracts.filter(
      ({ network, address }) => permits(network, 'eth_call', address, readSelector) && hasNode(network),
    ),
    leftOutOf: (network) => leftOut.get(network),
    mayBeSent: (network, { to, data }) => permits(network, 'eth_sendRawTransaction', to, data.slice(0, 10)),
  };
}

function deniedNodes(rules: CallerRules, network: Network): ReadonlySet<string> {
  const denied = network
    .everyNode()
    .filter(({ nodeId, ownerId }) => !rules.allows({ kind: 'node', key: nodeId, ownerId }, { method: 'eth_call' }));
  return new Set(denied.map(({ nodeId }) => nodeId));
}
