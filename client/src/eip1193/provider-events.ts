/** A provider's listeners, in the form of Node.js' EventEmitter (EIP-1193, Events). */

import type { ProviderRpcError } from './provider-rpc-error.ts';

export type ProviderMessage = { readonly type: string; readonly data: unknown };

export type ProviderEventMap = {
  /** The provider can call the chain: emitted after its first answer, and after the end of each `disconnect`. */
  connect: { readonly chainId: string };
  /** No call reaches the gateway. Subscriptions resume by themselves once one does. */
  disconnect: ProviderRpcError;
  /** Emitted after `wallet_switchEthereumChain`. */
  chainChanged: string;
  /** Emitted by `eth_subscribe`: `{ type: 'eth_subscription', data: { subscription, result } }`. */
  message: ProviderMessage;
  /** Never emitted: a gateway has no accounts. */
  accountsChanged: readonly string[];
};

export type ProviderEvent = keyof ProviderEventMap;

export type ProviderListener<Event extends ProviderEvent> = (reported: ProviderEventMap[Event]) => void;

export type ProviderEvents = {
  on<Event extends ProviderEvent>(event: Event, listener: ProviderListener<Event>): void;
  removeListener<Event extends ProviderEvent>(event: Event, listener: ProviderListener<Event>): void;
  /** A listener that throws does not affect the others. */
  emit<Event extends ProviderEvent>(event: Event, reported: ProviderEventMap[Event]): void;
};

export function createProviderEvents(): ProviderEvents {
  const listeners: { [Event in ProviderEvent]: ProviderListener<Event>[] } = {
    connect: [],
    disconnect: [],
    chainChanged: [],
    message: [],
    accountsChanged: [],
  };
  return {
    on(event, listener) {
      // An unknown event is never emitted; listening for it is no error, as with an EventEmitter.
      if (Object.hasOwn(listeners, event)) listeners[event].push(listener);
    },
    removeListener(event, listener) {
      const place = Object.hasOwn(listeners, event) ? listeners[event].lastIndexOf(listener) : -1;
      if (place >= 0) listeners[event].splice(place, 1);
    },
    emit(event, reported) {
      for (const listener of [...listeners[event]]) {
        try {
          listener(reported);
        } catch (error) {
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
  };
}
