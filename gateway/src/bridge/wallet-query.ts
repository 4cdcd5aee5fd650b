/** `?wallet=`, as the lists of deposits, of withdrawals and of the history take it (contract/bridge#wallets). */

import { evmAddressInput } from '../api/evm-address-member.ts';
import type { RouteQueryDoc } from '../api/route.ts';
import { isEvmAddress } from '../platform/evm-address.ts';

export function walletQuery(description: string): RouteQueryDoc {
  return { name: 'wallet', description, schema: () => evmAddressInput('A wallet.') };
}

/** In lower case. What is no address is added to `problems`. */
export function walletIn(wallet: string | undefined, problems: string[]): string | undefined {
  if (wallet !== undefined && !isEvmAddress(wallet))
    problems.push('wallet must be an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55');
  return wallet?.toLowerCase();
}
