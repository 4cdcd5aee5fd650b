/**
 * An EIP-1193 provider for wagmi, ethers' BrowserProvider and viem's `custom`: calls over HTTP, and subscriptions over a WebSocket that is open only while
 * there are any.
 */

import { createCatalog } from '../catalog.ts';
import { FlowgateError } from '../flowgate-error.ts';
import { createJsonRpc, type RpcParams, type RpcTarget } from '../json-rpc.ts';
import { type JsonRpcSettings, sendWith, targetOf } from '../json-rpc-settings.ts';
import type { SocketOptions } from '../rpc-socket/open-rpc-socket.ts';
import { chainNamed, networkOfChain } from './chain-choice.ts';
import { createProviderEvents, type ProviderEvent, type ProviderListener } from './provider-events.ts';
import { invalidRequest, ProviderRpcError, providerError, unsupportedMethod } from './provider-rpc-error.ts';
import { createProviderSubscriptions } from './provider-subscriptions.ts';

export type FlowgateProviderOptions = JsonRpcSettings & {
  /** Options of the connection for subscriptions. */
  readonly webSocket?: SocketOptions | undefined;
  /** Called when a lost connection is open again: the subscription did not receive the events in between. */
  readonly onGap?: ((subscription: string) => void) | undefined;
};

export type ProviderRequest = { readonly method: string; readonly params?: RpcParams | undefined };

export type FlowgateProvider = {
  /** The call's `result`. Throws `ProviderRpcError`. Plain reads are retried as `retry` says; a transaction is never retried. */
  request(this: void, args: ProviderRequest): Promise<unknown>;
  on<Event extends ProviderEvent>(event: Event, listener: ProviderListener<Event>): FlowgateProvider;
  removeListener<Event extends ProviderEvent>(event: Event, listener: ProviderListener<Event>): FlowgateProvider;
  /** Ends all subscriptions and closes the connection. */
  close(this: void): void;
};

/** Throws `TypeError` when `url` is not a valid address of a gateway. */
export function flowgateProvider(options: FlowgateProviderOptions): FlowgateProvider {
  const send = sendWith(options);
  const overHttp = createJsonRpc(send);
  const { networks } = createCatalog(send);
  const events = createProviderEvents();
  let target = targetOf(options);
  let isConnected: boolean | undefined;
  const subscriptions = createProviderSubscriptions(options, overHttp, {
    message: (data) => events.emit('message', { type: 'eth_subscription', data }),
    ended: (error) => disconnected(error),
  });

  /** The first answer shows that the chain can be called, and its id. */
  async function connected(chainId?: string): Promise<void> {
    if (isConnected === true) return;
    isConnected = true;
    const reported: unknown = chainId ?? (await overHttp.rpc('eth_chainId', [], target).catch(() => undefined));
    if (typeof reported === 'string') events.emit('connect', { chainId: reported });
    else isConnected = undefined;
  }

  function disconnected(error: unknown): void {
    if (!(error instanceof FlowgateError) || error.kind !== 'no-answer' || isConnected === false) return;
    isConnected = false;
    const reported = providerError(error);
    if (reported instanceof ProviderRpcError) events.emit('disconnect', reported);
  }

  async function switchChain(params: RpcParams | undefined): Promise<null> {
    if (target.node !== undefined) throw new ProviderRpcError(unsupportedMethod, 'This provider calls one node.');
    const chainId = chainNamed(params);
    const network = await networkOfChain(networks, chainId);
    const current: unknown = await overHttp.rpc('eth_chainId', [], target);
    if (typeof current === 'string' && Number(current) === chainId) return null;
    target = { network };
    subscriptions.moveTo(target);
    events.emit('chainChanged', `0x${chainId.toString(16)}`);
    return null;
  }

  function dispatch({ method, params }: ProviderRequest): Promise<unknown> {
    if (method === 'eth_accounts') return Promise.resolve([]);
    if (method === 'wallet_switchEthereumChain') return switchChain(params);
    if (method === 'eth_subscribe') return subscriptions.subscribe(listOf(params));
    if (method === 'eth_unsubscribe') return subscriptions.unsubscribe(listOf(params)[0]);
    return calls(method, params, target);
  }

  async function calls(method: string, params: RpcParams | undefined, asked: RpcTarget): Promise<unknown> {
    const result = await overHttp.rpc(method, params, asked);
    void connected(method === 'eth_chainId' && typeof result === 'string' ? result : undefined);
    return result;
  }

  const provider: FlowgateProvider = {
    async request(args) {
      check(args);
      try {
        return await dispatch(args);
      } catch (error) {
        disconnected(error);
        throw providerError(error);
      }
    },
    on(event, listener) {
      events.on(event, listener);
      return provider;
    },
    removeListener(event, listener) {
      events.removeListener(event, listener);
      return provider;
    },
    close: () => subscriptions.close(),
  };
  return provider;
}

/** Calls that only a wallet can answer; the gateway supports none of them. */
const walletsOwn: ReadonlySet<string> = new Set(['eth_requestAccounts', 'eth_sendTransaction', 'personal_sign']);

/** The form in which untyped programs may call it. */
function check(args: unknown): void {
  const { method, params }: { method?: unknown; params?: unknown } =
    typeof args === 'object' && args !== null ? args : {};
  if (typeof method !== 'string' || method === '') throw invalidRequest('A request needs a method, a text.');
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    throw invalidRequest('The params of a request are a list or an object.');
  }
  if (walletsOwn.has(method)) {
    throw new ProviderRpcError(unsupportedMethod, `${method} needs a wallet: a gateway holds no accounts.`);
  }
}

function listOf(params: RpcParams | undefined): readonly unknown[] {
  return Array.isArray(params) ? params : [];
}
