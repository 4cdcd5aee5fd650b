/**
 * What policies permit a caller on networks. The same policies apply as if the caller made the calls and sent the
 * transactions through JSON-RPC (contract/firewall-resources#rest).
 */

import { type Refused, refused } from '@flowgate/base/result';
import type { Caller } from '../api/caller.ts';
import type { CallerRules, Firewall } from '../api/firewall.ts';
import type { Network } from '../upstream/networks/network.ts';

/** Permissions on one network. Addresses are in lower case; a selector is `0x` and eight digits. */
export type PermittedOn = {
  /** Whether the caller may call this function and at least one node may receive the call. */
  readonly mayBeCalled: (to: string, selector: string) => boolean;
  /** The nodes that policies deny to the caller. They receive no calls. */
  readonly leftOut: ReadonlySet<string> | undefined;
  /** Whether the caller may send this transaction. */
  readonly mayBeSent: (transaction: { readonly to: string; readonly data: string }) => boolean;
};

const everything: PermittedOn = { mayBeCalled: () => true, leftOut: undefined, mayBeSent: () => true };

/** Returns the permissions on each of `networks`. The caller's policies are read once. */
export async function permittedOn(
  firewall: Firewall,
  caller: Caller,
  networks: readonly Network[],
): Promise<((network: Network) => PermittedOn) | Refused<'unavailable'>> {
  if (firewall.isIdle) return () => everything;
  const owners = networks.flatMap((network) => network.everyNode().flatMap(({ ownerId }) => ownerId ?? []));
  const rules = await firewall.rulesFor(caller, [...new Set(owners)]);
  if (rules === 'unavailable') return refused('unavailable', 'The policies cannot be read right now.');
  return (network) => permittedBy(rules, network);
}

function permittedBy(rules: CallerRules, network: Network): PermittedOn {
  const key = `${network.dlt}/${network.networkId}`;
  const permits = (method: string, to: string, selector: string) =>
    rules.allows({ kind: 'network', key }, { method }) &&
    rules.allows({ kind: 'contract', key: `${key}/${to}` }, { selector, paddedSelector: selector });
  const nodes = network.everyNode();
  const deniedFor = (method: string) =>
    nodes.filter(({ nodeId, ownerId }) => !rules.allows({ kind: 'node', key: nodeId, ownerId }, { method }));
  const denied = deniedFor('eth_call');
  const canSend = deniedFor('eth_sendRawTransaction').length < nodes.length;
  return {
    mayBeCalled: (to, selector) => denied.length < nodes.length && permits('eth_call', to, selector),
    leftOut: new Set(denied.map(({ nodeId }) => nodeId)),
    mayBeSent: ({ to, data }) => canSend && permits('eth_sendRawTransaction', to, data.slice(0, 10)),
  };
}
