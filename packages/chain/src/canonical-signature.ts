/** The form of ECDSA signatures on secp256k1 that chains accept (EIP-2). Checks the form only, so it does not load the curve. */

/** 32 bytes each: the curve's order (SEC 2, 2.4.1) less one, and half of the order. */
const [highestR, highestS] = [
  'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140',
  '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0',
].map((digits) => Buffer.from(digits, 'hex'));

export type RecoverableSignature = {
  /** `r` and `s`, 32 bytes each. */
  readonly rs: Uint8Array;
  /** 0 or 1: which of the two points with the coordinate `r` was used. */
  readonly yParity: 0 | 1;
};

/** Whether `r` and `s` are in range, with `s` in the lower half. Every signature has a twin with another `s`, which chains refuse since EIP-2. */
export function isCanonicalSignature({ rs }: RecoverableSignature): boolean {
  return rs.length === 64 && isFromOneTo(highestR, rs, 0) && isFromOneTo(highestS, rs, 32);
}

/** Whether the 32 bytes at `at` are a number from 1 to `highest`. Compares bytes, because a conversion to a bigint takes ten times as long. */
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
