/** The error for subscriptions over HTTP, with the address of the WebSocket (contract/json-rpc#subscriptions). */

import { rangeOf } from '@flowgate/bytes/byte-range';
import type { NodeError } from '../upstream/port/node-port.ts';

/** `publicUrl`: the address where callers reach this gateway. `path`: without an API key. */
export function subscribesElsewhere(publicUrl: string, path: string): NodeError {
  const address = publicUrl.replace(/^http/, 'ws').replace(/\/$/, '') + path;
  const message = `Subscriptions need a WebSocket: ${address}`;
  return { kind: 'error', raw: rangeOf(JSON.stringify({ code: -32601, message })) };
}
