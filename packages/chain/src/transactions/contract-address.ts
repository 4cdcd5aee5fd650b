/** The address of a contract that a transaction creates (CREATE; Ethereum Yellow Paper, section 7). */

import { keccak256 } from '../keccak.ts';
import { hexOf, rlpBytes, rlpInteger, rlpList } from './rlp.ts';

/** Returned in lower case. `sender` is `0x` and 40 hexadecimal digits of either case. */
export function contractAddress(sender: string, nonce: bigint): string {
  const creator = rlpBytes(Buffer.from(sender.slice(2), 'hex'));
  return `0x${hexOf(keccak256(rlpList([creator, rlpInteger(nonce)])).subarray(12))}`;
}
