/**
 * Recovers the signer's address from an ECDSA signature on secp256k1 (Ethereum Yellow Paper, appendix F; docs/decisions/0079). Loads the curve, which takes 3
 * MB, so import it only when it is first needed.
 */

import { secp256k1 } from '@noble/curves/secp256k1';
import { isCanonicalSignature, type RecoverableSignature } from './canonical-signature.ts';
import { keccak256 } from './keccak.ts';

/**
 * The signer's address in lower case. Undefined for a signature that no key can have made or that is not canonical. Takes about 0.7 ms.
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
