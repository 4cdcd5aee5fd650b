/** The context under which the secret of a subscription is encrypted. */

/** The context of the encrypted secret: it can be decrypted for this subscription only. */
export function sealedFor(subscriptionId: string): string {
  return `flow-subscription ${subscriptionId}`;
}
