/**
 * Encodes calls of tokens and strictly decodes what contracts return. This module loads viem, so it is imported only
 * when needed (docs/decisions/0082).
 */

import { withoutTrailing } from '@flowgate/base/text';
import { decodeAbiParameters, encodeFunctionData, formatUnits } from 'viem/utils';

type Hex = `0x${string}`;

const uint = (name: string) => ({ name, type: 'uint256' }) as const;
const address = (name: string) => ({ name, type: 'address' }) as const;
const view = { type: 'function', stateMutability: 'view', outputs: [] } as const;
const act = { type: 'function', stateMutability: 'nonpayable', outputs: [] } as const;

const abi = [
  { ...view, name: 'balanceOf', inputs: [address('account')] },
  { ...view, name: 'symbol', inputs: [] },
  { ...view, name: 'decimals', inputs: [] },
  { ...view, name: 'allowance', inputs: [address('owner'), address('spender')] },
  { ...act, name: 'approve', inputs: [address('spender'), uint('amount')] },
] as const;

/** Addresses are `0x` and 40 hexadecimal digits in lower case. */
export const tokenCalls = {
  balanceOf: (account: string) => encodeFunctionData({ abi, functionName: 'balanceOf', args: [hexOf(account)] }),
  symbol: () => encodeFunctionData({ abi, functionName: 'symbol' }),
  decimals: () => encodeFunctionData({ abi, functionName: 'decimals' }),
  allowance: (owner: string, spender: string) =>
    encodeFunctionData({ abi, functionName: 'allowance', args: [hexOf(owner), hexOf(spender)] }),
  approve: (spender: string, amount: bigint) =>
    encodeFunctionData({ abi, functionName: 'approve', args: [hexOf(spender), amount] }),
} as const;

/** The number in exactly one word. Undefined for any other data. */
export function readUint(data: string): bigint | undefined {
  return /^0x[0-9a-f]{64}$/.test(data) ? BigInt(data) : undefined;
}

/** The address in exactly one word whose first 12 bytes are zero. Undefined for the zero address and any other data. */
export function readAddress(data: string): string | undefined {
  const found = /^0x0{24}([0-9a-f]{40})$/.exec(data)?.[1];
  return found === undefined || /^0+$/.test(found) ? undefined : `0x${found}`;
}

/** In characters. A longer answer is not decoded: no token name needs it. */
const maxTextLength = 4_096;

/** The text of a `string`, or of a `bytes32` as in the oldest tokens. Undefined for other data. */
export function readText(data: string): string | undefined {
  if (data.length > maxTextLength) return undefined;
  if (/^0x[0-9a-f]{64}$/.test(data)) return withoutTrailing(Buffer.from(data.slice(2), 'hex').toString('utf8'), '\0');
  try {
    return decodeAbiParameters([{ type: 'string' }], hexOf(data))[0];
  } catch {
    return undefined;
  }
}

/** For example, `1500000` with 6 decimals is `1.5`. */
export { formatUnits as decimalOf };

function hexOf(text: string): Hex {
  return `0x${text.slice(2)}`;
}
