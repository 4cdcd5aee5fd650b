/** viem's form of a subscription over a connection to the gateway. */

import type { RpcSocket } from '../rpc-socket/rpc-socket.ts';

/** The params of viem's `watch…` actions. */
export type SubscribeArguments = {
  params: readonly unknown[];
  onData: (data: { subscription: string; result: unknown }) => void;
  onError?: ((error: unknown) => void) | undefined;
};

export type Subscribed = {
  subscriptionId: `0x${string}`;
  unsubscribe: () => Promise<{ id: number; jsonrpc: '2.0'; result: boolean; error?: undefined }>;
};

let lastId = 0;

/** The id is the client's own, because the gateway's changes with each new connection. */
export async function subscribeVia(
  socket: RpcSocket,
  { params, onData, onError }: SubscribeArguments,
  onGap: (() => void) | undefined,
  inViemsWords: (error: unknown) => unknown,
): Promise<Subscribed> {
  lastId += 1;
  const subscriptionId = `0x${lastId.toString(16)}` as const;
  try {
    const { unsubscribe } = await socket.subscribe(params, {
      onData: (result) => onData({ subscription: subscriptionId, result }),
      onError: (error) => onError?.(inViemsWords(error)),
      onGap,
    });
    return {
      subscriptionId,
      unsubscribe: async () => ({ id: 1, jsonrpc: '2.0', result: await unsubscribe() }),
    };
  } catch (error) {
    throw inViemsWords(error);
  }
}
