/** The destination of a WebSocket client's connections, and everything about them that is known before the first one. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import type { RandomBytes } from '@flowgate/base/random';
import { type Destination, destinationOf } from '@flowgate/http1/client/http1-origin';
import { upgradeHead } from './websocket-handshake.ts';
import { createMasks, type TakeMask } from './websocket-masks.ts';

export type WebSocketOptions = {
  /** ws or wss. Userinfo becomes Basic credentials; path and query may contain a provider's key. */
  readonly url: string;
  /** The IP address to connect to instead of resolving the host. `Host` and the name in the certificate stay those of the URL. */
  readonly address?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For name resolution, TCP and TLS together, and again for the handshake; default 3,000. */
  readonly connectTimeoutMs?: number;
  /**
   * After this time without any frame, the client sends a ping; after the same time again, the server counts as gone.
   * Default 5,000.
   */
  readonly silenceMs?: number;
  /** Of one message. */
  readonly maxMessageBytes: number;
  readonly tls?: { readonly ca?: string; readonly rejectUnauthorized?: boolean };
  readonly timerWheel: TimerWheel;
  /** Messages are read within this budget of the event loop. */
  readonly turns: TurnBudget;
  readonly randomBytes: RandomBytes;
};

/** The destination of one client's connections, and the properties known before the first one. */
export type WebSocketOrigin = Destination & {
  /** The request's head up to the key. */
  readonly head: string;
  readonly connectTimeoutMs: number;
  readonly silenceMs: number;
  readonly maxMessageBytes: number;
  readonly timerWheel: TimerWheel;
  readonly turns: TurnBudget;
  readonly randomBytes: RandomBytes;
  readonly takeMask: TakeMask;
};

/** @throws TypeError for a URL or a header that cannot be sent; the message contains neither. */
export function webSocketOrigin(options: WebSocketOptions): WebSocketOrigin {
  const url = URL.parse(options.url);
  if (url === null || (url.protocol !== 'ws:' && url.protocol !== 'wss:'))
    throw new TypeError('a WebSocket client needs a valid ws or wss URL');
  const head = upgradeHead(url, options.headers ?? {});
  if (head === undefined) throw new TypeError('a header of a WebSocket client cannot be sent');
  const { timerWheel, turns, randomBytes, maxMessageBytes, connectTimeoutMs = 3_000, silenceMs = 5_000 } = options;
  const { address, tls } = options;
  return {
    ...destinationOf(url, url.protocol === 'wss:', { ...(address && { address }), ...(tls && { tls }) }),
    ...{ head, connectTimeoutMs, silenceMs, maxMessageBytes, timerWheel, turns, randomBytes },
    takeMask: createMasks(randomBytes),
  };
}
