/** Converts a step's prepared transaction to the form of wallets: JSON-RPC quantities, for `eth_sendTransaction` (contract/sessions#transactions). */

import type { JsonMembers } from '../wire.ts';

/** Quantities are hexadecimal. `to` is absent for a contract creation. */
export type WalletTransaction = {
  readonly from?: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: string;
  readonly gas?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly gasPrice?: string;
  readonly nonce?: string;
  readonly chainId?: string;
};

const quantities = ['value', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas', 'gasPrice', 'nonce', 'chainId'] as const;

/**
 * Throws `TypeError` for a malformed member, and for a member that this form cannot contain but that changes the transaction. The wallet must sign exactly what
 * was prepared.
 */
export function walletTransaction(transaction: JsonMembers): WalletTransaction {
  const members: Record<string, string> = {};
  for (const name of notTaken) {
    const value = transaction[name];
    const isSaidAlready = name === 'input' && value === transaction['data'];
    if (value !== undefined && value !== null && !isSaidAlready)
      throw new TypeError(`The prepared transaction has ${name}, which is not supported.`);
  }
  for (const name of ['from', 'to'] as const) take(members, transaction, name, /^0x[0-9a-f]{40}$/i);
  take(members, transaction, 'data', /^0x(?:[0-9a-f]{2})*$/i);
  for (const name of quantities) {
    const value = transaction[name];
    if (value === undefined || value === null) continue;
    const text = String(value);
    const isQuantity = typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : isUnsigned(value);
    if (!isQuantity) throw new TypeError(`The prepared transaction has a ${name} that is not a quantity.`);
    members[name] = `0x${BigInt(text).toString(16)}`;
  }
  // A signer would use only one of them, and the user may have approved the other.
  if (members['gasPrice'] !== undefined && (members['maxFeePerGas'] ?? members['maxPriorityFeePerGas']) !== undefined) {
    throw new TypeError('The prepared transaction has a gasPrice together with fees of EIP-1559.');
  }
  return members;
}

/** Members that change the transaction: another name for `data`, account authorizations (EIP-7702), blobs (EIP-4844). */
const notTaken = ['input', 'authorizationList', 'blobVersionedHashes', 'blobs'] as const;

function take(members: Record<string, string>, transaction: JsonMembers, name: string, form: RegExp): void {
  const value = transaction[name];
  if (value === undefined || value === null) return;
  if (typeof value !== 'string' || !form.test(value)) {
    throw new TypeError(`The prepared transaction has a ${name} in an invalid form.`);
  }
  members[name] = value;
}

/** At most 256 bits, decimal or hexadecimal. */
function isUnsigned(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\d{1,78}|0x[0-9a-f]{1,64})$/i.test(value);
}
