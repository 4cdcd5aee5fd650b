/** One open connection: calls in flight by id, subscriptions by the gateway's id, and keep-alive checks (contract/websocket#messages). */

import { FlowgateError, noAnswerFacts } from '../flowgate-error.ts';
import { isJsonRpcError, unreadable } from '../read-answer.ts';
import { hasMembers, isObject } from '../shape.ts';
import type { JsonRpcError } from '../wire.ts';
import { discard, type SocketLike } from './open-socket.ts';

/** The connection was lost before the answer arrived. `sent`: the gateway may have executed the call. */
export class LostConnection extends Error {
  readonly code: number;

  constructor(code: number) {
    super('The connection was lost.');
    this.code = code;
  }
}

/** Close code when no close frame arrived. */
export const noCloseFrame = 1006;

type Waiting = { readonly answered: (result: unknown) => void; readonly refused: (error: unknown) => void };

export class LiveSocket {
  private readonly waiting = new Map<number, Waiting>();
  private readonly heard = new Map<string, (result: unknown) => void>();
  private readonly socket: SocketLike;
  private readonly lost: (code: number) => void;
  private readonly silenceMs: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastId = 0;
  private open = true;

  /**
   * `lost` is called once, unless `close` was called. After `silenceMs` without a message the gateway is sent a check; after the same time again the connection
   * counts as lost.
   */
  constructor(socket: SocketLike, silenceMs: number, lost: (code: number) => void) {
    this.socket = socket;
    this.silenceMs = silenceMs;
    this.lost = lost;
    socket.onmessage = ({ data }) => this.received(data);
    socket.onclose = ({ code }) => this.end(code);
    socket.onerror = () => undefined;
    this.listen();
  }

  get isIdle(): boolean {
    return this.waiting.size + this.heard.size === 0;
  }

  /**
   * `answered` is called before any later message is read. Throws the error of `answered`, `FlowgateError` for a refusal, and `LostConnection` when the
   * connection ends first.
   */
  call<T>(method: string, params: unknown, answered: (result: unknown) => T, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (!this.open) throw new LostConnection(noCloseFrame);
      this.lastId += 1;
      const id = this.lastId;
      const leave = () => {
        this.waiting.delete(id);
        signal?.removeEventListener('abort', abort);
      };
      const abort = () => {
        leave();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.set(id, {
        answered(result) {
          leave();
          resolve(answered(result));
        },
        refused(error) {
          leave();
          reject(error);
        },
      });
      this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** Notifications of the gateway's subscription `id` go to `listener` until `forget`. */
  listenTo(id: string, listener: (result: unknown) => void): void {
    this.heard.set(id, listener);
  }

  forget(id: string): void {
    this.heard.delete(id);
  }

  /** Closes the connection without calling `lost`; calls in flight fail. */
  close(): void {
    if (!this.open) return;
    this.stop();
    discard(this.socket);
    this.failAll(noCloseFrame);
  }

  private received(data: unknown): void {
    this.listen();
    const message = typeof data === 'string' ? parsed(data) : undefined;
    if (!isObject(message)) return;
    const { id, params } = message;
    const waiting = typeof id === 'number' ? this.waiting.get(id) : undefined;
    if (waiting !== undefined) settle(waiting, message);
    else if (hasMembers(params, { subscription: 's' })) {
      this.heard.get(String(params['subscription']))?.(params['result']);
    }
  }

  private listen(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = setTimeout(() => this.end(noCloseFrame), this.silenceMs);
      // Any answer shows that the connection works, also a refusal.
      this.call('eth_chainId', [], () => undefined).catch(() => undefined);
    }, this.silenceMs);
  }

  private end(code: number): void {
    if (!this.open) return;
    this.stop();
    discard(this.socket);
    this.failAll(code);
    this.lost(code);
  }

  private stop(): void {
    this.open = false;
    clearTimeout(this.timer);
    this.heard.clear();
  }

  private failAll(code: number): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { refused } of all) refused(new LostConnection(code));
  }
}

function settle({ answered, refused }: Waiting, message: Readonly<Record<string, unknown>>): void {
  const { error } = message;
  if (isJsonRpcError(error)) refused(socketRefusal(error));
  else if (Object.hasOwn(message, 'result')) answered(message['result']);
  else refused(unreadable({ ...noAnswerFacts, status: 200 }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error of a call that may have been executed, or cannot be sent. */
export function noAnswer(message: string, cause?: unknown): FlowgateError {
  return new FlowgateError(message, { kind: 'no-answer' }, noAnswerFacts, { cause });
}

/** A refusal over the WebSocket; its `data` replaces the headers (contract/websocket#errors). */
function socketRefusal(body: JsonRpcError): FlowgateError {
  const data = isObject(body.data) ? body.data : {};
  const { retryAfterSeconds, requestId } = data;
  return new FlowgateError(
    body.message,
    { kind: 'json-rpc', body },
    {
      ...noAnswerFacts,
      status: 200,
      retryAfter: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
      requestId: typeof requestId === 'string' ? requestId : undefined,
    },
  );
}
