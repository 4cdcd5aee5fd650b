/** A contract that deposits by itself acts on L2 under another address, its alias (specs.optimism.io, Address aliasing). */

import { type Address, getAddress, toHex } from 'viem';

const offset = 0x1111000000000000000000000000000000001111n;
const size = 2n ** 160n;

export function aliasOf(address: Address): Address {
  return fromNumber(BigInt(address) + offset);
}

export function withoutAlias(alias: Address): Address {
  return fromNumber(BigInt(alias) - offset);
}

function fromNumber(value: bigint): Address {
  return getAddress(toHex(((value % size) + size) % size, { size: 20 }));
}
