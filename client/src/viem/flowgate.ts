/** A viem transport that calls a network or a node through Flowgate: over HTTP, or over a WebSocket with subscriptions. */

import { createTransport, HttpRequestError, RpcRequestError, TimeoutError, type Transport } from 'viem';
import { type BatchOptions, batchedRpc } from '../batched-rpc.ts';
import { FlowgateError } from '../flowgate-error.ts';
import { createJsonRpc, type JsonRpc, rpcPath } from '../json-rpc.ts';
import { type JsonRpcSettings, sendWith, targetOf } from '../json-rpc-settings.ts';
import { openRpcSocket, type SocketOptions } from '../rpc-socket/open-rpc-socket.ts';
import type { RpcSocket } from '../rpc-socket/rpc-socket.ts';
import { checkedBase } from '../transport.ts';
import { type SubscribeArguments, type Subscribed, subscribeVia } from './subscribe-via.ts';

export type FlowgateTransportOptions = JsonRpcSettings & {
  /** The transport's name in viem. Default `flowgate`. */
  readonly key?: string | undefined;
  readonly name?: string | undefined;
};

export type FlowgateHttpOptions = FlowgateTransportOptions & {
  readonly webSocket?: false | undefined;
  /** Sends concurrent calls in one batch. */
  readonly batch?: boolean | BatchOptions | undefined;
};

export type FlowgateWebSocketOptions = FlowgateTransportOptions & {
  /** Sends all calls over one connection, which opens at the first call and reopens when lost. */
  readonly webSocket: true | SocketOptions;
  /** Called when a lost connection is open again: notifications in between were not received. */
  readonly onGap?: (() => void) | undefined;
};

export type FlowgateTransport = Transport<'flowgate', { readonly url: string }>;

/** viem uses subscriptions on a transport of the type `webSocket`: `watchBlocks` and similar actions do not poll. */
export type FlowgateWebSocketTransport = Transport<
  'webSocket',
  {
    readonly url: string;
    subscribe(this: void, args: SubscribeArguments): Promise<Subscribed>;
    /** Closes the connection and ends all subscriptions. */
    close(this: void): void;
  }
>;

/**
 * Plain reads are retried as `retry` says, after the time in `Retry-After`; a transaction never is, for any `retryCount` of viem. Errors are viem's own, with
 * the `FlowgateError` as the cause; none contains the key. Throws `TypeError` when `url` is not a valid address of a gateway.
 */
export function flowgate(options: FlowgateHttpOptions): FlowgateTransport;
export function flowgate(options: FlowgateWebSocketOptions): FlowgateWebSocketTransport;
export function flowgate(
  options: FlowgateHttpOptions | FlowgateWebSocketOptions,
): FlowgateTransport | FlowgateWebSocketTransport {
  const { key = 'flowgate', name = 'Flowgate', webSocket } = options;
  const overHttp = createJsonRpc(sendWith(options));
  const url = checkedBase(options.url) + rpcPath(options);
  // viem's own retries would also repeat transactions.
  const common = { key, name, retryCount: 0, timeout: options.timeoutMs ?? 30_000 };
  if (webSocket === undefined || webSocket === false) {
    const call = callOverHttp(options, overHttp);
    return () => createTransport({ ...common, type: 'flowgate', request: inViemsWords(url, call) }, { url });
  }
  const onGap = 'onGap' in options ? options.onGap : undefined;
  const socket = openRpcSocket({ ...options, ...(webSocket === true ? {} : webSocket) }, overHttp);
  const call: Call = (method, params, signal) => socket.request(method, params, signal);
  return () =>
    createTransport(
      { ...common, type: 'webSocket', request: inViemsWords(url, call) },
      { url, subscribe: subscriber(socket, url, onGap), close: () => socket.close() },
    );
}

type Call = (method: string, params: readonly unknown[] | undefined, signal?: AbortSignal) => Promise<unknown>;

function callOverHttp(options: FlowgateHttpOptions, overHttp: JsonRpc): Call {
  const { batch } = options;
  const target = targetOf(options);
  if (batch !== undefined && batch !== false) return batchedRpc(overHttp, target, batch === true ? {} : batch);
  return (method, params, signal) => overHttp.rpc(method, params, { ...target, signal });
}

function subscriber(socket: RpcSocket, url: string, onGap: (() => void) | undefined) {
  return (args: SubscribeArguments) =>
    subscribeVia(socket, args, onGap, (error) =>
      viemError(error, { method: 'eth_subscribe', params: args.params }, url),
    );
}

function inViemsWords(url: string, call: Call) {
  return async (args: { method: string; params?: unknown }, options?: { signal?: AbortSignal | undefined }) => {
    const { method } = args;
    const params = Array.isArray(args.params) ? args.params : undefined;
    try {
      // viem types a result by its method, which cannot be checked here.
      return (await call(method, params, options?.signal)) as never;
    } catch (error) {
      throw viemError(error, { method, params }, url);
    }
  };
}

/** The error classes in which viem's actions look for a revert's reason. */
function viemError(error: unknown, body: { method: string; params: unknown }, url: string): unknown {
  if (!(error instanceof FlowgateError)) return error;
  if (hasCode(error)) return new RpcRequestError({ body, url, error });
  if (error.isTimeout) return new TimeoutError({ body, url });
  const status = error.status === 0 ? undefined : error.status;
  return new HttpRequestError({ body, url, cause: error, details: error.message, status });
}

function hasCode(error: FlowgateError): error is FlowgateError & { readonly code: number } {
  return error.code !== undefined;
}
