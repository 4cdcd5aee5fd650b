/** Selects another chain of the same gateway by its id (EIP-3326). */

import type { NetworkName, Networks } from '../catalog.ts';
import type { RpcParams } from '../json-rpc.ts';
import { hasMembers } from '../shape.ts';
import { invalidRequest, ProviderRpcError, unrecognizedChain } from './provider-rpc-error.ts';

/** The id in the params of `wallet_switchEthereumChain`. Throws `ProviderRpcError` for any other params. */
export function chainNamed(params: RpcParams | undefined): number {
  const [first]: readonly unknown[] = Array.isArray(params) ? params : [];
  const text = hasMembers(first, { chainId: 's' }) ? String(first['chainId']) : '';
  if (!/^0x(0|[1-9a-f][0-9a-f]{0,12})$/i.test(text)) {
    throw invalidRequest('wallet_switchEthereumChain takes [{ chainId }], in hexadecimal.');
  }
  return Number(text);
}

/** Throws `ProviderRpcError` 4902 when the gateway serves no such chain, and errors like a list. */
export async function networkOfChain(networks: Pick<Networks, 'list'>, chainId: number): Promise<NetworkName> {
  for await (const { dlt, networkId, chainId: served } of networks.list({ limit: 100 })) {
    if (served === chainId) return { dlt, networkId };
  }
  throw new ProviderRpcError(unrecognizedChain, `The gateway serves no chain ${chainId}.`);
}
