/** The owner and the partition key of a webhook delivery in the outbox. */

/** The owner of a user's deliveries: 128 bits of a digest, because a user's id may be any text and collisions must be infeasible. */
export function webhookOwner(userId: string): string {
  return new Bun.CryptoHasher('sha256').update(userId).digest('base64url').slice(0, 22);
}

/**
 * The partition key of a subscription: it ends with a space and the subscription's id. It begins with the owner, because gateways of the previous release have no column for the
 * owner and read it there. Once none of them runs together with this release, the id suffices.
 */
export function webhookPartition(userId: string, subscriptionId: string): string {
  return `${webhookOwner(userId)} ${subscriptionId}`;
}
