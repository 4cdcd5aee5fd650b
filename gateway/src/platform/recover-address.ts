/** Who signed: the address behind an ECDSA signature on secp256k1 (Ethereum Yellow Paper, appendix F; EIP-2; docs/decisions/0079). */

import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak256 } from './keccak.ts';

const order = secp256k1.CURVE.n;
/** 32 bytes each. */
const [highestR, highestS] = [order - 1n, order / 2n].map((value) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex'),
);

export type RecoverableSignature = {
  /** `r` and `s`, 32 bytes each. */
  readonly rs: Uint8Array;
  /** 0 or 1: which of the two points with the coordinate `r` was used. */
  readonly yParity: 0 | 1;
};

/** Whether `r` and `s` are in range, `s` in the lower half: every signature has a twin with the other `s`, which chains refuse since EIP-2. */
export function isCanonicalSignature({ rs }: RecoverableSignature): boolean {
  return rs.length === 64 && isFromOneTo(highestR, rs, 0) && isFromOneTo(highestS, rs, 32);
}

/** Whether the 32 bytes at `at` are a number from 1 to `highest`. Compared as bytes: making a number of them takes ten times as long. */
function isFromOneTo(highest: Uint8Array | undefined, bytes: Uint8Array, at: number): boolean {
  let isZero = true;
  let order = 0;
  for (let nth = 0; nth < 32; nth++) {
    const byte = bytes[at + nth] ?? 0;
    if (byte !== 0) isZero = false;
    if (order === 0) order = byte - (highest?.[nth] ?? 0);
  }
  return !isZero && order <= 0;
}

/**
 * The signer's address in lower case. Undefined for a signature that no key has made, and for one that is not canonical. Takes about 0.7 ms.
 *
 * @param digest the 32 bytes that were signed.
 */
export function recoverAddress(digest: Uint8Array, signature: RecoverableSignature): string | undefined {
  if (!isCanonicalSignature(signature)) return undefined;
  try {
    const { rs, yParity } = signature;
    const point = secp256k1.Signature.fromCompact(rs).addRecoveryBit(yParity).recoverPublicKey(digest);
    const hash = keccak256(point.toRawBytes(false).subarray(1));
    return `0x${Buffer.from(hash.subarray(12)).toString('hex')}`;
  } catch {
    // No point of the curve has this `r`, or the result is the point at infinity.
    return undefined;
  }
}
