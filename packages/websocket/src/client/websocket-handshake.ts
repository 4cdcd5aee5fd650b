/** The opening handshake of a WebSocket client (RFC 6455 4.1): its request, and the answers that it accepts. */

import { createHash } from 'node:crypto';
import type { RandomBytes } from '@flowgate/base/random';
import { HeaderMap } from '@flowgate/http1/client/header-map';
import { credentialsOf } from '@flowgate/http1/client/http1-origin';
import { requestHead } from '@flowgate/http1/client/http1-request';

/** RFC 6455 1.3. */
const acceptedBy = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The request's head without its key; undefined when a header cannot be sent. Offers neither extensions nor subprotocols. */
export function upgradeHead(url: URL, headers: Readonly<Record<string, string>>): string | undefined {
  const head = requestHead('GET', url, [...credentialsOf(url), ...Object.entries(headers)]);
  return head && `${head}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: `;
}

/** A new one for each connection. */
export function createKey(randomBytes: RandomBytes): string {
  return randomBytes(16).toString('base64');
}

export type HandshakeVerdict =
  | { readonly kind: 'interim' }
  | { readonly kind: 'open' }
  /** The server answered with another status than 101. `retryAfter`: the unparsed value of that header. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | undefined }
  /** It is no answer to this request; `detail` quotes nothing of it. */
  | { readonly kind: 'malformed'; readonly detail: string };

const malformed = (detail: string): HandshakeVerdict => ({ kind: 'malformed', detail });

/** Checks the head in `bytes[from, end)`, including its empty line. */
export function checkHandshake(bytes: Uint8Array, from: number, end: number, key: string): HandshakeVerdict {
  const fields = new HeaderMap();
  const head = fields.parse(bytes, from, end);
  if (typeof head === 'string') return malformed(head);
  const { status, retryAfter } = head;
  if (status < 200 && status !== 101) return { kind: 'interim' };
  if (status !== 101) return { kind: 'refused', status, retryAfter };
  const field = (name: string) => fields.values.get(name) ?? '';
  if (field('upgrade').toLowerCase() !== 'websocket') return malformed('switched to another protocol');
  const options = field('connection').toLowerCase().split(',');
  if (!options.some((option) => option.trim() === 'upgrade')) return malformed('switched without Connection: Upgrade');
  if (field('sec-websocket-accept') !== acceptOf(key)) return malformed('accepted another key');
  if (field('sec-websocket-extensions') !== '') return malformed('uses an extension that was not offered');
  if (field('sec-websocket-protocol') !== '') return malformed('uses a subprotocol that was not offered');
  return { kind: 'open' };
}

/** The answer of a server to a key (RFC 6455 4.2.2). */
export function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}${acceptedBy}`).digest('base64');
}
