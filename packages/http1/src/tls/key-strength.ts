/** Whether clients accept the keys of certificates: too short ones, and curves that few of them know, end the handshake. */

import type { X509Certificate } from 'node:crypto';

/** `unusable`: TLS here cannot use such a key either. `refused`: it can, and clients refuse it. `rare`: some clients, browsers among them, refuse it. */
export type KeyStrength =
  | { readonly kind: 'good' }
  | { readonly kind: 'unusable' | 'refused' | 'rare'; readonly message: string };

/** The least that browsers and system libraries accept, and the rules of public certificate authorities allow. */
const leastRsaBits = 2048;
const goodCurves: readonly string[] = ['prime256v1', 'secp384r1'];
const rareKinds: readonly string[] = ['secp521r1', 'ed25519'];
const better = 'use EC on P-256 or P-384, or RSA of 2048 bits or more';

export function keyStrength(certificate: X509Certificate): KeyStrength {
  const key = publicKeyOf(certificate);
  if (key === undefined) return { kind: 'unusable', message: `has a key of a kind that clients refuse: ${better}` };
  if (key.asymmetricKeyType === 'rsa') {
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits >= leastRsaBits) return { kind: 'good' };
    return { kind: 'refused', message: `has an RSA key of ${bits} bits, which clients refuse: ${better}` };
  }
  const name = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? '';
  if (goodCurves.includes(name)) return { kind: 'good' };
  if (rareKinds.includes(name)) return { kind: 'rare', message: `has a key (${name}) that browsers refuse: ${better}` };
  return { kind: 'unusable', message: `has a key on a curve that clients refuse (${name}): ${better}` };
}

/** Undefined for kinds of keys that the runtime's library does not know. */
function publicKeyOf(certificate: X509Certificate): X509Certificate['publicKey'] | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}
