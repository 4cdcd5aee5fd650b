/** Addresses of Ethereum and similar chains, with the checksum in their capital letters (EIP-55). */

import { keccak256 } from './keccak.ts';

/** 20 bytes in hexadecimal. In one letter case there is no checksum; in mixed case the checksum must be right. */
export function isEvmAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || text === checksumAddress(text);
}

/** The address in EIP-55's spelling; `address` is `0x` and 40 hexadecimal digits of any case. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak256(Buffer.from(digits, 'latin1'))).toString('hex');
  return `0x${digits.replaceAll(/[a-f]/g, (digit, at: number) => ((hash[at] ?? '0') >= '8' ? digit.toUpperCase() : digit))}`;
}
