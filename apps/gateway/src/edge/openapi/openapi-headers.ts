/** The response headers that callers use, by name, for the OpenAPI document. Headers of CORS and of the connection are not included. */

import type { Schema } from '../../api/json-schema.ts';
import type { Header } from './openapi-document.ts';

const header = (description: string, schema: Schema): Header => ({ description, schema });
/** For an answer that always has the header. */
const always = (description: string, schema: Schema): Header => ({ ...header(description, schema), required: true });
const whole: Schema = { type: 'integer', minimum: 0 };
const anyText: Schema = { type: 'string' };

export const headerComponents: Readonly<Record<string, Header>> = {
  'X-Request-Id': always('Identifies the request in the log.', {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  'X-RateLimit-Limit': header('Requests allowed in any 60 seconds, by the tighter of the limits that apply.', whole),
  'X-RateLimit-Remaining': header('Requests left in the window.', whole),
  'X-RateLimit-Reset': header('When the oldest counted request leaves the window: Unix time in seconds.', whole),
  'Retry-After': always('Seconds to wait; on 429 and 503 only.', whole),
  'WWW-Authenticate': always('How to authenticate.', { type: 'string', const: 'Bearer' }),
  'Sec-WebSocket-Version': always('The negotiated version of the protocol.', { type: 'string', const: '13' }),
  Allow: always('The methods that the path supports.', anyText),
  Location: always('The path of the new resource.', anyText),
  'Idempotency-Replayed': header('`true` when a stored response is returned again; absent on the first response.', {
    type: 'string',
    const: 'true',
  }),
  'PAYMENT-REQUIRED': header('The payment that x402 requires, in base64 (protocol version 2).', anyText),
  'PAYMENT-RESPONSE': header('The receipt of the payment, in base64 (protocol version 2).', anyText),
  'X-Payment-Response': header('The receipt of the payment, in base64 (protocol version 1).', anyText),
  'Cache-Control': header(
    'Which caches may store the response, and for how long; `no-store` when it contains a secret.',
    anyText,
  ),
  'X-Flowgate-Served-By': header(
    'With `X-Flowgate-Trace: 1`: the node that answered, `cache` or `coalesced`. For a batch: each of its sources once.',
    anyText,
  ),
  'X-Flowgate-Attempts': header('With `X-Flowgate-Trace: 1`: the number of nodes that were called; 0 for none.', whole),
  'X-Flowgate-Node-Owner': header('`user`: a node that a user registered gave a part of the answer.', {
    type: 'string',
    const: 'user',
  }),
  'Content-Encoding': header(
    'The compression of the body, for callers that accept it. Responses below 1 KiB and responses with secrets are not compressed.',
    { type: 'string', enum: ['zstd', 'gzip'] },
  ),
  'Accept-Encoding': header(
    'The content codings that request bodies may have; sent when the coding is the reason of the refusal.',
    {
      type: 'string',
      const: 'zstd, gzip',
    },
  ),
  Vary: header('The request headers that the response depends on.', anyText),
  'X-Accel-Buffering': header('`no` on a stream: proxies must not buffer events.', {
    type: 'string',
    const: 'no',
  }),
  'X-Content-Type-Options': header('Browsers must not guess the content type.', { type: 'string', const: 'nosniff' }),
  'Content-Security-Policy': header('What the page may load and run: only its own files.', anyText),
  'Referrer-Policy': header('The page sends no referrer.', { type: 'string', const: 'no-referrer' }),
  'Cross-Origin-Opener-Policy': header('The page shares nothing with the page that opened it.', {
    type: 'string',
    enum: ['same-origin', 'same-origin-allow-popups'],
  }),
  'Cross-Origin-Resource-Policy': header('Other sites cannot load it.', { type: 'string', const: 'same-origin' }),
  'Permissions-Policy': header('The browser features that the page never uses.', anyText),
  ETag: header('Identifies this version of the file.', anyText),
};
