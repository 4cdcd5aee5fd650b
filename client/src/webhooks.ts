/** The package's entry `@flowgate/client/webhooks`: for servers that only receive. */

// biome-ignore lint/performance/noBarrelFile: a package's entry is the list of what its users may import
export {
  type SignedHeaders,
  type SignedMessage,
  type SignedRequest,
  type VerifyOptions,
  verifySignature,
} from './verify-signature.ts';
export { verifyWebhook } from './verify-webhook.ts';
export { WebhookError, type WebhookProblem } from './webhook-error.ts';
