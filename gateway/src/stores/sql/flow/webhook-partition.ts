/** Whose a delivery to an endpoint is, and in which partition of the outbox it waits. */

/** The owner of a user's deliveries. 128 bits of a digest: a user's id may be any text, and nobody finds another with the same. */
export function webhookOwner(userId: string): string {
  return new Bun.CryptoHasher('sha256').update(userId).digest('base64url').slice(0, 22);
}

/**
 * The partition key of a subscription: it ends with a space and the subscription's id. It begins with the owner, because gateways of the previous release, which know no column for
 * it, read it there; once none of them runs beside this release, the id alone will do.
 */
export function webhookPartition(userId: string, subscriptionId: string): string {
  return `${webhookOwner(userId)} ${subscriptionId}`;
}
