/** Reads values of Ethereum's JSON-RPC in nodes' answers. */

import type { Hex } from 'viem';

/** The members of an object. Any other value has none. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isMembers(value) ? value : {};
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number below 2^53. Some nodes write leading zeros. */
export function quantityIn(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,16}$/.test(value)) return undefined;
  const number = Number.parseInt(value.slice(2), 16);
  return Number.isSafeInteger(number) ? number : undefined;
}

export function hashIn(value: unknown): Hex | undefined {
  return hexIn(value, 64);
}

export function addressIn(value: unknown): Hex | undefined {
  return hexIn(value, 40);
}

/** An even number of digits; returned in lower case. */
export function bytesIn(value: unknown): Hex | undefined {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^0x[0-9a-fA-F]*$/.test(value)) return undefined;
  return `0x${value.slice(2).toLowerCase()}`;
}

function hexIn(value: unknown, digits: number): Hex | undefined {
  return typeof value === 'string' && value.length === digits + 2 ? bytesIn(value) : undefined;
}
