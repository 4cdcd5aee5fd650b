/** Listeners of a provider, as Node.js' EventEmitter has them (EIP-1193, Events). */

import type { ProviderRpcError } from './provider-rpc-error.ts';

export type ProviderMessage = { readonly type: string; readonly data: unknown };

export type ProviderEventMap = {
  /** The provider can call the chain: after its first answer, and after each time that it was `disconnect`ed. */
  connect: { readonly chainId: string };
  /** No call gets through. What was subscribed to continues by itself once one does. */
  disconnect: ProviderRpcError;
  /** By `wallet_switchEthereumChain`. */
  chainChanged: string;
  /** Of `eth_subscribe`: `{ type: 'eth_subscription', data: { subscription, result } }`. */
  message: ProviderMessage;
  /** Never told: a gateway holds no accounts. */
  accountsChanged: readonly string[];
};

export type ProviderEvent = keyof ProviderEventMap;

export type ProviderListener<Event extends ProviderEvent> = (reported: ProviderEventMap[Event]) => void;

export type ProviderEvents = {
  on<Event extends ProviderEvent>(event: Event, listener: ProviderListener<Event>): void;
  removeListener<Event extends ProviderEvent>(event: Event, listener: ProviderListener<Event>): void;
  /** A listener that throws keeps no other from being told. */
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
      // An event that EIP-1193 does not know is never told; asking for it is no error with an EventEmitter either.
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
