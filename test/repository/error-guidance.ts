/** The cause of each error and what a client should do, for docs/reference/errors.md. */

import type { RefusalReason } from '../../apps/gateway/src/api/refusal.ts';

type Guidance = { readonly when: string; readonly action: string };

export const errorGuidance: Readonly<Record<RefusalReason, Guidance>> = {
  'credential-missing': {
    when: 'The request has no credential or an empty one, or its `Authorization` header is not `Bearer`, one space and a value. JSON-RPC routes accept only API keys, so an access token without a key also causes this error.',
    action: 'Send a credential that the route accepts.',
  },
  'credential-invalid': {
    when: 'The token or API key is malformed, unknown, revoked or expired, or `X-API-Key` occurs twice with different values.',
    action:
      'Sign in again, or create a new key. Do not retry: the gateway limits invalid credentials by client address.',
  },
  'credential-unverifiable': {
    when: 'The gateway cannot reach its database or the identity provider, so it could not check the credential.',
    action: 'Retry with back-off. Use the same credential.',
  },
  'not-permitted': {
    when: 'The credential is valid, but the route requires more: an access token instead of an API key, or a role that the user does not have.',
    action: 'Use an access token of a user with the required role.',
  },
  denied: {
    when: 'A firewall policy denies the request (docs/contract/firewall.md). It belongs to the operator, to the caller, or to the owner of the node or app. Nothing was forwarded.',
    action:
      'Do not retry. `POST /users/me/policies/explain` names the policy if it is your own; otherwise ask its owner.',
  },
  'message-denied': {
    when: 'A firewall policy denies this element of the batch, as for `denied`.',
    action: 'As for `denied`. Other elements of the batch are not affected.',
  },
  'rate-limited': {
    when: 'The user or the Flow session has no requests left in the current 60 seconds, or the client address has sent too many invalid credentials. Nothing was executed or counted.',
    action: 'Wait for the number of seconds in `Retry-After`, then retry.',
  },
  'bad-request': {
    when: 'A parameter or a member of the body is missing or invalid. The message names it.',
    action: 'Correct the request.',
  },
  'not-found': {
    when: 'The path or the resource does not exist, or the resource belongs to another user.',
    action: 'Check the path and the identifier.',
  },
  'method-not-allowed': {
    when: 'The path exists, but not with this HTTP method.',
    action: 'Use a method from the `Allow` header of the response.',
  },
  'request-timeout': {
    when: 'The body did not arrive completely within `server.bodyTimeoutSeconds`. Nothing was executed.',
    action: 'Send the request again.',
  },
  conflict: {
    when: 'The current state of the resource does not permit the request. Example: creating an eleventh active key.',
    action: 'Change the state first. Example: revoke a key.',
  },
  gone: {
    when: 'The resource was retired and no longer exists.',
    action: 'Use its successor, for example a newer version of the app.',
  },
  'too-large': {
    when: 'The body exceeds `limits.maxBodyBytes` (on Flow routes at most 1 MiB), or the batch has more elements than `limits.maxBatch` or than the user may send.',
    action: 'Split the request.',
  },
  'unsupported-media-type': {
    when: 'The content type is not JSON in UTF-8, or the content encoding is not supported.',
    action: 'Send JSON with `Content-Type: application/json`.',
  },
  'target-too-long': {
    when: 'Path and query together exceed 16 KiB.',
    action: 'Send long values in the body.',
  },
  'expectation-failed': {
    when: 'The `Expect` header has another value than `100-continue`.',
    action: 'Remove the header.',
  },
  'upgrade-required': {
    when: 'The WebSocket handshake requests another protocol version than 13.',
    action: 'Use a client that implements RFC 6455.',
  },
  'head-too-large': {
    when: 'Request line and headers together exceed 64 KiB, or there are more than 128 headers.',
    action: 'Send fewer or shorter headers.',
  },
  'not-implemented': {
    when: 'The HTTP method is unknown, or `Transfer-Encoding` has another value than `chunked`.',
    action: 'Correct the request.',
  },
  'version-not-supported': {
    when: 'The request line names another HTTP version than 1.0 or 1.1.',
    action: 'Use HTTP/1.1.',
  },
  'parse-error': {
    when: 'The body of a JSON-RPC request is not valid JSON, not UTF-8, or nested too deeply.',
    action: 'Correct the body.',
  },
  'invalid-request': {
    when: 'The body is valid JSON but not a JSON-RPC 2.0 request: a member is missing, invalid, duplicated or misspelled, or the batch is empty.',
    action: 'Correct the request; `data.detail` names the problem.',
  },
  'method-blocked': {
    when: 'The method is administrative, uses keys of the node, or is not a method name. The gateway never forwards it.',
    action: 'Do not call it through a gateway. Sign transactions in your application.',
  },
  'method-not-enabled': {
    when: 'The method belongs to a group of expensive methods that is not enabled on this network.',
    action: 'Use another network, or ask the operator to enable the method in `networks[].methods.enable`.',
  },
  'payment-required': {
    when: 'The step requires a payment, which is missing, does not match `accepts`, was already used, or is invalid; `error` names the reason. Nothing was executed.',
    action: 'Pay according to `accepts` (x402), and submit again with the same `Idempotency-Key`.',
  },
  'bad-gateway': {
    when: 'The node, the Flow App or the payment facilitator was unreachable, too slow, or returned an unusable response. It may have executed the request.',
    action:
      'Retry reads with back-off, and step submissions with the same `Idempotency-Key`. Look up a transaction by its hash before you send it again.',
  },
  unanswered: {
    when: 'The node answered other elements of the batch but not this one. It may have executed it.',
    action: 'As for `bad-gateway`, for this element.',
  },
  unavailable: {
    when: 'The gateway is starting, shutting down or overloaded, or cannot reach its database.',
    action: 'Wait for the number of seconds in `Retry-After`, then retry with back-off.',
  },
  internal: {
    when: 'A bug in the gateway.',
    action: 'Report the `X-Request-Id` to the operator. Retry only reads, with back-off.',
  },
};
