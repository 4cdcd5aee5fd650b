/** The signature algorithms that tokens may use, and the kind of published key that each needs (RFC 7518, RFC 8037). */

type KeyKind = { readonly kty: 'RSA' } | { readonly kty: 'EC' | 'OKP'; readonly crv: string };

/** Only asymmetric algorithms: with a symmetric one, every verifier could also sign. */
const keyKinds: ReadonlyMap<string, KeyKind> = new Map<string, KeyKind>([
  ['RS256', { kty: 'RSA' }],
  ['RS384', { kty: 'RSA' }],
  ['RS512', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['PS384', { kty: 'RSA' }],
  ['PS512', { kty: 'RSA' }],
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['ES384', { kty: 'EC', crv: 'P-384' }],
  ['ES512', { kty: 'EC', crv: 'P-521' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
]);

export const supportedTokenAlgorithms: readonly string[] = [...keyKinds.keys()];

export const defaultTokenAlgorithms: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** The allow-list as a set. Throws a RangeError for a name that is not in `supportedTokenAlgorithms`. */
export function tokenAlgorithms(names: readonly string[]): ReadonlySet<string> {
  for (const name of names) if (!keyKinds.has(name)) throw new RangeError(`unsupported token algorithm: ${name}`);
  return new Set(names);
}

export function keyKindOf(algorithm: string): KeyKind | undefined {
  return keyKinds.get(algorithm);
}
