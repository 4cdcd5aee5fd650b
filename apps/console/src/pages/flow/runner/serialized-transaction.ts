/** Rebuilds the signed form of a transaction from a node's JSON. */

import type { JsonMembers } from '@flowgate/client/flow-wire';
import { fileLoader } from '../../../frame/page-files.ts';

// Loaded on demand to make the page smaller.
const loadViem = fileLoader(() => import('viem'));
const loadUtils = fileLoader(() => import('viem/utils'));

/** Undefined for types other than EIP-1559 and legacy, and when the result has another hash, so that it cannot be the signed transaction. */
export async function serializedOf(found: JsonMembers, hash: string): Promise<string | undefined> {
  const { keccak256, serializeTransaction } = await loadViem();
  try {
    const { formatTransaction } = await loadUtils();
    const reported = formatTransaction(found as Parameters<typeof formatTransaction>[0]);
    const { r, s, v, yParity } = reported;
    if (r === undefined || s === undefined) return undefined;
    const shared = {
      ...{ nonce: reported.nonce, gas: reported.gas, value: reported.value, data: reported.input },
      ...(reported.to !== null && { to: reported.to }),
    };
    const raw =
      reported.type === 'eip1559'
        ? serializeTransaction(
            {
              ...{ ...shared, type: 'eip1559', chainId: reported.chainId, accessList: reported.accessList },
              ...{ maxFeePerGas: reported.maxFeePerGas, maxPriorityFeePerGas: reported.maxPriorityFeePerGas },
            },
            { r, s, yParity: yParity ?? Number(v) },
          )
        : serializeTransaction(
            {
              ...shared,
              type: 'legacy',
              gasPrice: reported.gasPrice,
              ...(reported.chainId && { chainId: reported.chainId }),
            },
            { r, s, v },
          );
    return keccak256(raw).toLowerCase() === hash.toLowerCase() ? raw : undefined;
  } catch {
    return undefined;
  }
}
