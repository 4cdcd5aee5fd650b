/** Calls of tokens, encoded, and what contracts return, read strictly. Loads viem, so it is loaded only when it is needed (docs/decisions/0082). */

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

/** Exactly one word; anything else is no number. */
export function readUint(data: string): bigint | undefined {
  return /^0x[0-9a-f]{64}$/.test(data) ? BigInt(data) : undefined;
}

/** Exactly one word whose first 12 bytes are zero; not the zero address. */
export function readAddress(data: string): string | undefined {
  const found = /^0x0{24}([0-9a-f]{40})$/.exec(data)?.[1];
  return found === undefined || /^0+$/.test(found) ? undefined : `0x${found}`;
}

/** A longer answer is not read: no name of a token needs it. */
const maxTextLength = 4_096;

/** The text of a `string`, or of a `bytes32` as the oldest tokens have it. `undefined` when it is neither. */
export function readText(data: string): string | undefined {
  if (data.length > maxTextLength) return undefined;
  if (/^0x[0-9a-f]{64}$/.test(data)) return withoutTrailing(Buffer.from(data.slice(2), 'hex').toString('utf8'), '\0');
  try {
    return decodeAbiParameters([{ type: 'string' }], hexOf(data))[0];
  } catch {
    return undefined;
  }
}

/** `1500000`, with 6 decimals, as `1.5`. */
export { formatUnits as decimalOf };

function hexOf(text: string): Hex {
  return `0x${text.slice(2)}`;
}
