/** A transaction as a node tells it, in the form in which it was signed. */

import type { JsonMembers } from '@flowgate/client/flow-wire';
import { fileLoader } from '../../../frame/page-files.ts';

// Loaded when they are needed: the page is small without them.
const loadViem = fileLoader(() => import('viem'));
const loadUtils = fileLoader(() => import('viem/utils'));

/** Undefined for types other than EIP-1559 and legacy, and when what comes out has another hash: then it is not what was signed. */
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
