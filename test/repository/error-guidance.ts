/** When each error occurs and what a client should do about it, for docs/reference/errors.md. */

import type { RefusalReason } from '../../apps/gateway/src/api/refusal.ts';

type Guidance = { readonly when: string; readonly action: string };

export const errorGuidance: Readonly<Record<RefusalReason, Guidance>> = {
  'credential-missing': {
    when: 'The request has no credential, an empty one, or an `Authorization` header other than `Bearer`, one space and a value. JSON-RPC routes accept API keys only, so a token alone is also this error.',
    action: 'Send a credential.',
  },
  'credential-invalid': {
    when: 'The token or API key is malformed, unknown, revoked or expired, or `X-API-Key` occurs twice with different values.',
    action: 'Sign in again, or create a new key. Do not retry: the gateway limits invalid credentials by address.',
  },
  'credential-unverifiable': {
    when: 'The gateway cannot reach its database or the identity provider. The credential may be valid.',
    action: 'Retry with back-off and the same credential.',
  },
  'not-permitted': {
    when: 'The credential is valid but not sufficient: an API key on a key management or administration route, or a missing role.',
    action: 'Sign in as a user with the required role.',
  },
  denied: {
    when: 'A policy of the operator, of the caller, or of the owner of the node or app denies the request (docs/contract/firewall.md). Nothing was forwarded.',
    action: '`POST /users/me/policies/explain` names the policy if it is your own. Do not retry.',
  },
  'message-denied': { when: 'As `denied`, for one element of a batch.', action: 'As for `denied`.' },
  'rate-limited': {
    when: 'The user or the Flow session has used up its requests of the last 60 seconds, or the address has sent too many invalid credentials. Nothing was executed or counted.',
    action: 'Wait for the time in `Retry-After`.',
  },
  'bad-request': {
    when: 'A parameter or a member of the body is missing or wrong. The message names it.',
    action: 'Correct the request.',
  },
  'not-found': {
    when: 'The path does not exist, or the resource does not exist or belongs to another user.',
    action: 'Check the path and the identifier.',
  },
  'method-not-allowed': {
    when: 'The path exists but not for this method.',
    action: 'Use a method that `Allow` lists.',
  },
  'request-timeout': {
    when: 'The body did not arrive completely within `server.bodyTimeoutSeconds`. Nothing was executed.',
    action: 'Send the request again.',
  },
  conflict: {
    when: 'The current state does not permit the request, for example an eleventh active key.',
    action: 'Change the state first, for example by revoking a key.',
  },
  gone: { when: 'The resource existed and was retired.', action: 'Use its successor.' },
  'too-large': {
    when: 'The body exceeds `limits.maxBodyBytes` (on Flow routes at most 1 MiB), or a batch exceeds `limits.maxBatch` or the limit of the user.',
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
    when: '`Expect` contains something other than `100-continue`.',
    action: 'Remove the header.',
  },
  'upgrade-required': {
    when: 'The WebSocket handshake asks for a protocol version other than 13.',
    action: 'Use a client that implements RFC 6455.',
  },
  'head-too-large': {
    when: 'Request line and headers together exceed 64 KiB, or there are more than 128 headers.',
    action: 'Send fewer or shorter headers.',
  },
  'not-implemented': {
    when: 'The gateway does not know the HTTP method, or `Transfer-Encoding` is not `chunked`.',
    action: 'Correct the request.',
  },
  'version-not-supported': {
    when: 'The request line names an HTTP version other than 1.1 and 1.0.',
    action: 'Use HTTP/1.1.',
  },
  'parse-error': {
    when: 'The body of a JSON-RPC request is not valid JSON, not UTF-8, or nested too deeply.',
    action: 'Correct the body.',
  },
  'invalid-request': {
    when: 'The body is valid JSON but not a JSON-RPC 2.0 request: a member is missing, wrong, duplicated or misspelled, or the batch is empty.',
    action: 'Correct the request; `data.detail` says what is wrong.',
  },
  'method-blocked': {
    when: 'The method is administrative, uses keys of the node, or is not a method name. It is never forwarded.',
    action: 'Do not call it through a gateway.',
  },
  'method-not-enabled': {
    when: 'The method belongs to a heavy family that this network has not enabled.',
    action: 'Ask the operator to enable it (`networks[].methods.enable`), or use another network.',
  },
  'payment-required': {
    when: 'The step must be paid for, and the payment is missing, does not match `accepts`, was already used, or is invalid; `error` says which. Nothing was executed.',
    action: 'Pay as `accepts` says (x402), and submit again with the same `Idempotency-Key`.',
  },
  'bad-gateway': {
    when: 'The node, the Flow App or the payment facilitator was unreachable, too slow, or returned an unusable response. It may have executed the request.',
    action:
      'Retry reads with back-off, and step submissions with the same `Idempotency-Key`. Look a transaction up by its hash before you send it again.',
  },
  unanswered: {
    when: 'The node answered other elements of the batch, but not this one. It may have executed it.',
    action: 'As for `bad-gateway`, for this element.',
  },
  unavailable: {
    when: 'The gateway is shutting down, not ready or overloaded, or cannot reach its database.',
    action: 'Retry after the time in `Retry-After`, with back-off.',
  },
  internal: {
    when: 'A bug in the gateway.',
    action: 'Report the `X-Request-Id` to the operator. Retry reads with back-off.',
  },
};
