/** The closed list of reasons for which Flowgate refuses. Only `http/failures.ts` knows their form on the wire. */

export const refusalReasons = [
  'credential-missing',
  'credential-invalid',
  'credential-unverifiable',
  'not-permitted',
  'rate-limited',
  'bad-request',
  'not-found',
  'method-not-allowed',
  'request-timeout',
  'conflict',
  'gone',
  'too-large',
  'unsupported-media-type',
  'target-too-long',
  'expectation-failed',
  'head-too-large',
  'not-implemented',
  'version-not-supported',
  'parse-error',
  'invalid-request',
  'method-blocked',
  'method-not-enabled',
  'payment-required',
  'bad-gateway',
  'unanswered',
  'unavailable',
  'internal',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];
