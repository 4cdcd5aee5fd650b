/**
 * The catalog of errors: every reason for which Flowgate refuses a request, and its response on each surface. Modules name a reason; only this table has statuses, labels, codes
 * and URNs. It is longer than other files because it is one table.
 */

/** A JSON-RPC error. Reasons about the route or the gateway have none: on RPC paths too, their body is a StandardError (contract/json-rpc#errors). */
type RpcRow = { readonly status: number; readonly code: number; readonly message: string };

export type Refusal = {
  /** HTTP status on REST and Flow, and on RPC where `rpc` is absent. */
  readonly status: number;
  /** StandardError's `error`. */
  readonly label: string;
  /** `message` of a StandardError and `detail` of ProblemDetails, unless the refusal has its own sentence. */
  readonly message: string;
  /** The `type` of ProblemDetails without `urn:svc:error:`. */
  readonly urn: string;
  readonly title: string;
  readonly retryable: boolean;
  readonly rpc?: RpcRow;
};

export const urnPrefix = 'urn:svc:error:';

const catalog = {
  'credential-missing': {
    status: 401,
    label: 'Unauthorized',
    message: 'Missing credentials: send a token as "Authorization: Bearer <token>" or an API key as "X-API-Key".',
    urn: 'unauthorized',
    title: 'Unauthorized',
    retryable: false,
    rpc: { status: 401, code: -32000, message: 'Missing credentials.' },
  },
  'credential-invalid': {
    status: 401,
    label: 'Unauthorized',
    message: 'The token or API key is malformed, unknown, revoked or expired.',
    urn: 'unauthorized',
    title: 'Unauthorized',
    retryable: false,
    rpc: { status: 403, code: -32001, message: 'Invalid credentials.' },
  },
  'credential-unverifiable': {
    status: 503,
    label: 'Service unavailable',
    message: 'The credential cannot be verified right now.',
    urn: 'service-unavailable',
    title: 'Service unavailable',
    retryable: true,
    rpc: { status: 500, code: -32002, message: 'Internal server error.' },
  },
  'not-permitted': {
    status: 403,
    label: 'Forbidden',
    message: 'These credentials do not permit this request.',
    urn: 'unauthorized',
    title: 'Forbidden',
    retryable: false,
  },
  denied: {
    status: 403,
    label: 'Forbidden',
    message: 'A policy does not permit this.',
    urn: 'unauthorized',
    title: 'Forbidden',
    retryable: false,
  },
  'message-denied': {
    status: 403,
    label: 'Forbidden',
    message: 'A policy does not permit this message.',
    urn: 'unauthorized',
    title: 'Forbidden',
    retryable: false,
    rpc: { status: 403, code: -32003, message: 'Forbidden.' },
  },
  'rate-limited': {
    status: 429,
    label: 'Too many requests',
    message: 'Rate limit exceeded; wait as long as Retry-After says.',
    urn: 'too-many-requests',
    title: 'Too many requests',
    retryable: true,
  },
  'bad-request': {
    status: 400,
    label: 'Bad request',
    message: 'The request is not valid.',
    urn: 'bad-request',
    title: 'Bad request',
    retryable: false,
  },
  'not-found': {
    status: 404,
    label: 'Not found',
    message: 'There is nothing at this path.',
    urn: 'not-found',
    title: 'Not found',
    retryable: false,
  },
  'method-not-allowed': {
    status: 405,
    label: 'Method not allowed',
    message: 'This path does not answer this method; Allow lists those it does.',
    urn: 'bad-request',
    title: 'Method not allowed',
    retryable: false,
  },
  'request-timeout': {
    status: 408,
    label: 'Request timeout',
    message: 'The request body did not arrive in time.',
    urn: 'bad-request',
    title: 'Request timeout',
    retryable: true,
  },
  conflict: {
    status: 409,
    label: 'Conflict',
    message: 'The request conflicts with the present state.',
    urn: 'conflict',
    title: 'Conflict',
    retryable: false,
  },
  gone: {
    status: 410,
    label: 'Gone',
    message: 'This is no longer available.',
    urn: 'gone',
    title: 'Gone',
    retryable: false,
  },
  'too-large': {
    status: 413,
    label: 'Payload too large',
    message: 'The request is larger than this gateway accepts.',
    urn: 'bad-request',
    title: 'Payload too large',
    retryable: false,
  },
  'unsupported-media-type': {
    status: 415,
    label: 'Unsupported media type',
    message: 'Send JSON with Content-Type: application/json, uncompressed or with Content-Encoding: gzip or zstd.',
    urn: 'bad-request',
    title: 'Unsupported media type',
    retryable: false,
  },
  'target-too-long': {
    status: 414,
    label: 'URI too long',
    message: 'The request target is longer than this gateway accepts.',
    urn: 'bad-request',
    title: 'URI too long',
    retryable: false,
  },
  'expectation-failed': {
    status: 417,
    label: 'Expectation failed',
    message: 'The gateway supports no expectation other than 100-continue.',
    urn: 'bad-request',
    title: 'Expectation failed',
    retryable: false,
  },
  'upgrade-required': {
    status: 426,
    label: 'Upgrade required',
    message: 'This gateway speaks version 13 of the WebSocket protocol.',
    urn: 'bad-request',
    title: 'Upgrade required',
    retryable: false,
  },
  'head-too-large': {
    status: 431,
    label: 'Headers too large',
    message: 'The request head is larger than this gateway accepts.',
    urn: 'bad-request',
    title: 'Headers too large',
    retryable: false,
  },
  'not-implemented': {
    status: 501,
    label: 'Not implemented',
    message: 'This gateway does not know the method or the transfer coding.',
    urn: 'bad-request',
    title: 'Not implemented',
    retryable: false,
  },
  'version-not-supported': {
    status: 505,
    label: 'HTTP version not supported',
    message: 'This gateway speaks HTTP/1.1 and HTTP/1.0.',
    urn: 'bad-request',
    title: 'HTTP version not supported',
    retryable: false,
  },
  'parse-error': {
    status: 400,
    label: 'Bad request',
    message: 'The body is not valid JSON.',
    urn: 'bad-request',
    title: 'Bad request',
    retryable: false,
    rpc: { status: 400, code: -32700, message: 'Parse error.' },
  },
  'invalid-request': {
    status: 400,
    label: 'Bad request',
    message: 'The body is not a JSON-RPC 2.0 request.',
    urn: 'bad-request',
    title: 'Bad request',
    retryable: false,
    rpc: { status: 400, code: -32600, message: 'Invalid request.' },
  },
  'method-blocked': {
    status: 403,
    label: 'Forbidden',
    message: 'This JSON-RPC method is never forwarded.',
    urn: 'unauthorized',
    title: 'Forbidden',
    retryable: false,
    rpc: { status: 403, code: -32601, message: 'Method not allowed.' },
  },
  'method-not-enabled': {
    status: 403,
    label: 'Forbidden',
    message: 'This network has not enabled this JSON-RPC method.',
    urn: 'unauthorized',
    title: 'Forbidden',
    retryable: false,
    rpc: { status: 403, code: -32601, message: 'Method not allowed.' },
  },
  'payment-required': {
    status: 402,
    label: 'Payment required',
    message: 'This step has to be paid for.',
    urn: 'payment-required',
    title: 'Payment required',
    retryable: false,
  },
  'bad-gateway': {
    status: 502,
    label: 'Bad gateway',
    message: 'The node did not give a usable answer.',
    urn: 'bad-gateway',
    title: 'Bad gateway',
    retryable: true,
  },
  unanswered: {
    status: 502,
    label: 'Bad gateway',
    message: 'The node answered other messages of the batch, but not this one.',
    urn: 'bad-gateway',
    title: 'Bad gateway',
    retryable: true,
    rpc: { status: 502, code: -32603, message: 'The node did not answer this message.' },
  },
  unavailable: {
    status: 503,
    label: 'Service unavailable',
    message: 'The gateway cannot serve this right now.',
    urn: 'service-unavailable',
    title: 'Service unavailable',
    retryable: true,
  },
  internal: {
    status: 500,
    label: 'Internal server error',
    message: 'The gateway failed on this request; X-Request-Id identifies it in the log.',
    urn: 'internal',
    title: 'Internal server error',
    retryable: true,
    rpc: { status: 500, code: -32002, message: 'Internal server error.' },
  },
} satisfies Readonly<Record<string, Refusal>>;

/** All reasons. */
export type RefusalReason = keyof typeof catalog;

export const refusals: Readonly<Record<RefusalReason, Refusal>> = catalog;

/** In the order of the catalog. */
export const refusalReasons: readonly RefusalReason[] = Object.keys(catalog).filter(isReason);

function isReason(name: string): name is RefusalReason {
  return Object.hasOwn(catalog, name);
}
