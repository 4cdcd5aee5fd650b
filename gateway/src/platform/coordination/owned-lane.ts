/** Lanes that say whose they are, so that a claim can give every owner a fair share: those of one owner begin alike. */

/** Of characters, by which the lanes of one owner begin. */
export const ownerLength = 22;

/** With the name of a lane behind it, that lane of this owner. 128 bits of a digest: an owner may be any text, and nobody finds another with the same. */
export function lanePrefix(owner: string): string {
  return `${new Bun.CryptoHasher('sha256').update(owner).digest('base64url').slice(0, ownerLength)} `;
}

/** The same for all lanes of an owner, and for those of no other. */
export function laneOwner(partitionKey: string): string {
  return partitionKey.slice(0, ownerLength);
}

export function laneName(partitionKey: string): string {
  return partitionKey.slice(ownerLength + 1);
}
