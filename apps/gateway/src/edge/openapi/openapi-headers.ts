/** Every header of an answer that means something to callers, by name, for the OpenAPI document. Headers of CORS and of the connection are not included. */

import type { Schema } from '../../api/json-schema.ts';
import type { Header } from './openapi-document.ts';

const header = (description: string, schema: Schema): Header => ({ description, schema });
/** For an answer that always has it. */
const always = (description: string, schema: Schema): Header => ({ ...header(description, schema), required: true });
const whole: Schema = { type: 'integer', minimum: 0 };
const anyText: Schema = { type: 'string' };

export const headerComponents: Readonly<Record<string, Header>> = {
  'X-Request-Id': always('Identifies the request in the log.', {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  'X-RateLimit-Limit': header('Requests allowed in any 60 seconds, by whichever limit is tighter.', whole),
  'X-RateLimit-Remaining': header('Requests left in the window.', whole),
  'X-RateLimit-Reset': header('When the oldest counted request leaves the window: Unix time in seconds.', whole),
  'Retry-After': always('Seconds to wait; on 429 and 503 only.', whole),
  'WWW-Authenticate': always('How to authenticate.', { type: 'string', const: 'Bearer' }),
  'Sec-WebSocket-Version': always('The version of the protocol that is spoken.', { type: 'string', const: '13' }),
  Allow: always('The methods that the path answers.', anyText),
  Location: always('Where the new resource is.', anyText),
  'Idempotency-Replayed': header('`true` on a stored response that is given again; absent on the first.', {
    type: 'string',
    const: 'true',
  }),
  'PAYMENT-REQUIRED': header('What x402 asks, base64 (protocol version 2).', anyText),
  'PAYMENT-RESPONSE': header('The receipt of a payment, base64 (protocol version 2).', anyText),
  'X-Payment-Response': header('The same in protocol version 1.', anyText),
  'Cache-Control': header(
    'Who may cache the response, and for how long; `no-store` where it contains a secret.',
    anyText,
  ),
  'X-Flowgate-Served-By': header(
    'With `X-Flowgate-Trace: 1`: the node that answered, `cache` or `coalesced`; several of a batch, each once.',
    anyText,
  ),
  'X-Flowgate-Attempts': header('With `X-Flowgate-Trace: 1`: how many nodes were asked, 0 for none.', whole),
  'X-Flowgate-Node-Owner': header(
    '`user`: a node that a user registered, and not the operator, gave a part of the answer.',
    {
      type: 'string',
      const: 'user',
    },
  ),
  'Content-Encoding': header(
    'How the body is compressed, for callers that accept it, on responses of 1 KiB and more that contain no secret.',
    { type: 'string', enum: ['zstd', 'gzip'] },
  ),
  'Accept-Encoding': header('The content codings in which a body is accepted, where another one is the reason.', {
    type: 'string',
    const: 'zstd, gzip',
  }),
  Vary: header('The request headers that decide which answer it is.', anyText),
  'X-Accel-Buffering': header('`no` on a stream: asks proxies not to buffer events.', {
    type: 'string',
    const: 'no',
  }),
  'X-Content-Type-Options': header('The type is as declared.', { type: 'string', const: 'nosniff' }),
  'Content-Security-Policy': header('What the page may load and run: nothing but its own.', anyText),
  'Referrer-Policy': header('The page sends no referrer.', { type: 'string', const: 'no-referrer' }),
  'Cross-Origin-Opener-Policy': header('The page shares nothing with the one that opened it.', {
    type: 'string',
    enum: ['same-origin', 'same-origin-allow-popups'],
  }),
  'Cross-Origin-Resource-Policy': header('Other sites cannot load it.', { type: 'string', const: 'same-origin' }),
  'Permissions-Policy': header('What the page never asks for.', anyText),
  ETag: header('Names this version of the file.', anyText),
};
