/** A provider's subscriptions: their ids do not change with a new connection, and the connection is open only while there are any. */

import type { FlowgateError } from '../flowgate-error.ts';
import { newIdempotencyKey } from '../idempotency-key.ts';
import type { JsonRpc, RpcTarget } from '../json-rpc.ts';
import type { JsonRpcSettings } from '../json-rpc-settings.ts';
import { openRpcSocket, type SocketOptions } from '../rpc-socket/open-rpc-socket.ts';
import type { RpcSocket, SocketSubscription } from '../rpc-socket/rpc-socket.ts';

type Settings = JsonRpcSettings & {
  readonly webSocket?: SocketOptions | undefined;
  readonly onGap?: ((subscription: string) => void) | undefined;
};

type Reported = {
  readonly message: (data: { readonly subscription: string; readonly result: unknown }) => void;
  readonly ended: (error: FlowgateError) => void;
};

export type ProviderSubscriptions = {
  /** Returns the new id. Throws like `RpcSocket.subscribe`. */
  readonly subscribe: (params: readonly unknown[]) => Promise<string>;
  /** `false` for an unknown id. */
  readonly unsubscribe: (id: unknown) => Promise<boolean>;
  /** Drops all subscriptions, because the chain has changed. */
  readonly moveTo: (target: RpcTarget) => void;
  readonly close: () => void;
};

export function createProviderSubscriptions(
  settings: Settings,
  overHttp: JsonRpc,
  reported: Reported,
): ProviderSubscriptions {
  const { url, apiKey, timeoutMs, webSocket, onGap } = settings;
  const running = new Map<string, SocketSubscription>();
  let target: RpcTarget = settings;
  let socket: RpcSocket | undefined;

  function end(): void {
    running.clear();
    socket?.close();
    socket = undefined;
  }
  return {
    async subscribe(params) {
      const id = `0x${newIdempotencyKey()}`;
      socket ??= openRpcSocket({ ...target, url, apiKey, timeoutMs, ...webSocket }, overHttp);
      const subscription = await socket.subscribe(params, {
        onData: (result) => reported.message({ subscription: id, result }),
        onError(error) {
          running.delete(id);
          reported.ended(error);
        },
        onGap: () => onGap?.(id),
      });
      running.set(id, subscription);
      return id;
    },
    async unsubscribe(id) {
      const subscription = typeof id === 'string' ? running.get(id) : undefined;
      if (subscription === undefined || typeof id !== 'string') return false;
      running.delete(id);
      return subscription.unsubscribe();
    },
    moveTo(next) {
      end();
      target = next;
    },
    close: end,
  };
}
