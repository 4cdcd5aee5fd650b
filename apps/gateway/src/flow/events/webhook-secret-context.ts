/** The context under which a subscription's secret is encrypted. */

/** Binds the encrypted secret to this subscription: it cannot be decrypted for another one. */
export function webhookSecretContext(subscriptionId: string): string {
  return `flow-subscription ${subscriptionId}`;
}
