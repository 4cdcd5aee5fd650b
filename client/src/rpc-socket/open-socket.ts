/** Opens a WebSocket to the gateway, with the key in a header where the platform supports it (contract/websocket#connecting). */

import { FlowgateError, noAnswerFacts } from '../flowgate-error.ts';

/** The used part of a WebSocket, common to browsers, Node.js 22, Bun, Deno and the package `ws`. */
export type SocketLike = {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  onerror: ((event: never) => void) | null;
};

/**
 * `headers` contains the key, `url` does not. For platforms without a WebSocket: `(url, headers) => new WebSocket(url, { headers })` with the package `ws`.
 */
export type OpenSocket = (url: string, headers: Readonly<Record<string, string>>) => SocketLike;

/** Resolves when it is open. Throws `FlowgateError` of kind `no-answer` when it cannot be opened, and the signal's reason. */
export function openSocket(
  open: OpenSocket,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SocketLike> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = open(url, headers);
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', giveUp);
      act();
    };
    const giveUp = () =>
      settle(() => {
        reject(signal.reason);
        discard(socket);
      });
    signal.addEventListener('abort', giveUp);
    socket.onopen = () => settle(() => resolve(socket));
    socket.onclose = () => settle(() => reject(unreached()));
    // `close` follows, unless it has already been emitted.
    socket.onerror = () => undefined;
  });
}

/** Ignores all later events of the socket. */
export function discard(socket: SocketLike): void {
  socket.onopen = null;
  socket.onmessage = null;
  socket.onclose = null;
  // A socket that is closed before it is open emits an error.
  socket.onerror = () => undefined;
  socket.close();
}

function unreached(): FlowgateError {
  const text = 'The WebSocket to Flowgate could not be opened.';
  return new FlowgateError(text, { kind: 'no-answer' }, noAnswerFacts);
}

/**
 * The platform's WebSocket. Node.js, Bun and Deno accept headers as the second argument. In browsers an object there is a list of subprotocols with an invalid
 * name, which throws at once (WHATWG WebSockets, constructor). Only then is the key in the path.
 */
export const platformSocket: OpenSocket = (url, headers) => {
  const platform: unknown = Reflect.get(globalThis, 'WebSocket');
  if (!isConstructor(platform)) {
    throw new TypeError('This platform has no WebSocket: give `openSocket`, for example with the package ws.');
  }
  try {
    return new platform(url, { headers });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SyntaxError') throw error;
    return new platform(`${url}/${encodeURIComponent(headers['X-API-Key'] ?? '')}`);
  }
};

function isConstructor(value: unknown): value is new (url: string, options?: object) => SocketLike {
  return typeof value === 'function';
}
