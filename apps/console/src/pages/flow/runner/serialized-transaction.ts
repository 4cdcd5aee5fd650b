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
    const told = formatTransaction(found as Parameters<typeof formatTransaction>[0]);
    const { r, s, v, yParity } = told;
    if (r === undefined || s === undefined) return undefined;
    const shared = {
      ...{ nonce: told.nonce, gas: told.gas, value: told.value, data: told.input },
      ...(told.to !== null && { to: told.to }),
    };
    const raw =
      told.type === 'eip1559'
        ? serializeTransaction(
            {
              ...{ ...shared, type: 'eip1559', chainId: told.chainId, accessList: told.accessList },
              ...{ maxFeePerGas: told.maxFeePerGas, maxPriorityFeePerGas: told.maxPriorityFeePerGas },
            },
            { r, s, yParity: yParity ?? Number(v) },
          )
        : serializeTransaction(
            { ...shared, type: 'legacy', gasPrice: told.gasPrice, ...(told.chainId && { chainId: told.chainId }) },
            { r, s, v },
          );
    return keccak256(raw).toLowerCase() === hash.toLowerCase() ? raw : undefined;
  } catch {
    return undefined;
  }
}
