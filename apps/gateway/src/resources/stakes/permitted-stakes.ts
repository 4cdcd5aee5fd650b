/** The policies that apply to a caller in staking contracts (contract/firewall-resources#rest). */

import type { Refused } from '@flowgate/base/result';
import type { Caller } from '../../api/caller.ts';
import type { Firewall } from '../../api/firewall.ts';
import { type PermittedOn, permittedOn } from '../../prepared/permitted-on.ts';
import type { Network } from '../../upstream/networks/network.ts';
import type { StakingContract } from './staking-contract.ts';

export type PermittedStakes = {
  /** The contracts that the caller may read. */
  readonly contracts: readonly StakingContract[];
  readonly on: (network: Network) => PermittedOn;
};

/** `earned(address)`: a caller who may not call it may not see positions. */
const readSelector = '0x008cc262';

export async function permittedStakes(
  firewall: Firewall,
  caller: Caller,
  contracts: readonly StakingContract[],
): Promise<PermittedStakes | Refused<'unavailable'>> {
  const networks = [...new Set(contracts.map(({ network }) => network))];
  const on = await permittedOn(firewall, caller, networks);
  if (typeof on !== 'function') return on;
  const permitted = new Map(networks.map((network) => [network, on(network)]));
  return {
    contracts: contracts.filter(
      ({ network, address }) => permitted.get(network)?.mayBeCalled(address, readSelector) === true,
    ),
    on,
  };
}
