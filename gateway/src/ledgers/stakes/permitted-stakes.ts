/** What policies permit a caller in staking contracts: the same as if the caller made the calls and sent the transactions through JSON-RPC (contract/firewall#rest). */

import type { Caller } from '../../api/caller.ts';
import type { Firewall } from '../../api/firewall.ts';
import { type Refused, refused } from '../../platform/result.ts';
import type { Network } from '../network.ts';
import type { StakingContract } from './staking-contract.ts';

export type PermittedStakes = {
  /** Those that the caller may read. */
  readonly contracts: readonly StakingContract[];
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
  if (firewall.isIdle) return { contracts, mayBeSent: () => true };
  const rules = await firewall.rulesFor(caller);
  if (rules === 'unavailable') return refused('unavailable', 'It is not known right now what policies permit.');
  const permits = ({ dlt, networkId }: Network, method: string, to: string, selector: string) =>
    rules.allows({ kind: 'network', key: `${dlt}/${networkId}` }, { method }) &&
    rules.allows({ kind: 'contract', key: `${dlt}/${networkId}/${to}` }, { selector, paddedSelector: selector });
  return {
    contracts: contracts.filter(({ network, address }) => permits(network, 'eth_call', address, readSelector)),
    mayBeSent: (network, { to, data }) => permits(network, 'eth_sendRawTransaction', to, data.slice(0, 10)),
  };
}
