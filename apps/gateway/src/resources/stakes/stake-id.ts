/** The id of a position: derived from the contract and the wallet, so that it is stable and nothing has to be stored. */

import { createHash } from 'node:crypto';
import type { StakingContract } from './staking-contract.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const characters = 26;

/** `stk_` and 128 bits in the form of a ULID. `wallet` in lower case. */
export function stakeId({ network: { dlt, networkId }, address }: StakingContract, wallet: string): string {
  const digest = createHash('sha256').update(`${dlt} ${networkId} ${address} ${wallet}`).digest('hex');
  let rest = BigInt(`0x${digest.slice(0, 32)}`);
  let text = '';
  for (let at = 0; at < characters; at++) {
    text = (alphabet[Number(rest & 31n)] ?? '') + text;
    rest >>= 5n;
  }
  return `stk_${text}`;
}
