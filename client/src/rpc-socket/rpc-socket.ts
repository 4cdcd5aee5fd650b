/** JSON-RPC and subscriptions over a WebSocket that opens when needed, reopens when lost, and closes when unused. */

import { pause, withDeadline } from '../deadline.ts';
import { FlowgateError } from '../flowgate-error.ts';
import { isRepeatableMethod } from '../repeatable-method.ts';
import { retryDelayMs } from '../retry-delay.ts';
import { type LiveSocket, LostConnection, noAnswer, noCloseFrame } from './live-socket.ts';

export type SubscriptionListener = {
  readonly onData: (result: unknown) => void;
  /** Called once when the subscription ends with an error; the last call. */
  readonly onError: (error: FlowgateError) => void;
  /** Called when a lost connection is open again: notifications in between were not received. */
  readonly onGap?: (() => void) | undefined;
};

export type SocketSubscription = {
  /** Whether the gateway knew the subscription. The listener receives nothing from the moment of the call. */
  readonly unsubscribe: () => Promise<boolean>;
};

export type RpcSocketDeps = {
  /**
   * Returns a new connection, after retries; `lost` is called with the close code when it ends by itself. Throws `FlowgateError` when the gateway permanently
   * refuses or the retries are used up.
   */
  readonly connect: (lost: (code: number) => void, signal: AbortSignal) => Promise<LiveSocket>;
  readonly timeoutMs: number;
  /** How many connections in a row may be lost within `steadyMs` before subscriptions end with an error. */
  readonly reconnects: number;
  /** An unused connection is closed after this time, in milliseconds. */
  readonly idleMs: number;
};

/** `wanted` until it is unsubscribed; `remoteId` while the gateway has it on the current connection. */
type ActiveSubscription = SubscriptionListener & {
  readonly params: readonly unknown[];
  wanted: boolean;
  remoteId?: string;
};

/** A connection that lasts this long, in milliseconds, resets the count of lost connections. */
const steadyMs = 30_000;
/** Close code of a gateway that restarts: another gateway is available at once (contract/websocket#closing). */
const restarting = 1012;

export class RpcSocket {
  private readonly deps: RpcSocketDeps;
  private readonly subscribed = new Set<ActiveSubscription>();
  private readonly closed = new AbortController();
  private live: LiveSocket | undefined;
  private connecting: Promise<LiveSocket> | undefined;
  private restoring = false;
  private losses = 0;
  private since = 0;
  private callers = 0;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: RpcSocketDeps) {
    this.deps = deps;
  }

  /**
   * The call's `result`. A plain read whose answer was lost with the connection is sent once more; for any other call it is unknown whether it was executed.
   */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const may = isRepeatableMethod(method) ? '' : `; ${method} may have been executed`;
    return this.using(signal, may === '', may, (live, inner) => live.call(method, params, (result) => result, inner));
  }

  /** `eth_subscribe` with these params; continues over new connections. Throws like `request`. */
  async subscribe(params: readonly unknown[], listener: SubscriptionListener): Promise<SocketSubscription> {
    const subscription: ActiveSubscription = { ...listener, params, wanted: true };
    try {
      // Without the signal: the id of a subscription that is created too late is needed to end it.
      await this.using(undefined, true, '', (live) => this.ask(live, subscription));
    } catch (error) {
      subscription.wanted = false;
      throw error;
    }
    return { unsubscribe: () => this.unsubscribe(subscription) };
  }

  /** Closes the connection and drops all subscriptions without a notification. Calls in flight fail. */
  close(): void {
    this.closed.abort(noAnswer('The connection to Flowgate was closed by its user.'));
    for (const subscription of this.subscribed) subscription.wanted = false;
    this.subscribed.clear();
    clearTimeout(this.idleTimer);
    this.leave();
  }

  private async using<T>(
    signal: AbortSignal | undefined,
    repeatable: boolean,
    consequence: string,
    work: (live: LiveSocket, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.callers += 1;
    clearTimeout(this.idleTimer);
    try {
      return await withDeadline({ timeoutMs: this.deps.timeoutMs, signal }, async (deadline) => {
        for (let attempts = 1; ; attempts++) {
          const live = await this.connection();
          try {
            return await work(live, deadline.signal);
          } catch (error) {
            if (!(error instanceof LostConnection)) throw error;
            const lost = `The connection to Flowgate was lost (${error.code})${consequence}.`;
            if (!repeatable || attempts > 1) throw noAnswer(lost);
          }
        }
      });
    } finally {
      this.callers -= 1;
      this.rest();
    }
  }

  private rest(): void {
    clearTimeout(this.idleTimer);
    if (this.callers + this.subscribed.size > 0 || this.closed.signal.aborted) return;
    this.idleTimer = setTimeout(() => this.leave(), this.deps.idleMs);
  }

  private leave(): void {
    this.live?.close();
    this.live = undefined;
  }

  private connection(): Promise<LiveSocket> {
    this.closed.signal.throwIfAborted();
    if (this.live !== undefined) return Promise.resolve(this.live);
    this.connecting ??= this.connect().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }

  private async connect(): Promise<LiveSocket> {
    const { signal } = this.closed;
    const live = await this.deps.connect((code) => this.lost(code), signal);
    if (signal.aborted) live.close();
    signal.throwIfAborted();
    this.since = performance.now();
    this.live = live;
    return live;
  }

  private lost(code: number): void {
    this.live = undefined;
    for (const subscription of this.subscribed) delete subscription.remoteId;
    this.losses = performance.now() - this.since > steadyMs ? 1 : this.losses + 1;
    if (this.subscribed.size > 0 && !this.restoring) void this.restore(code);
  }

  /** Repeats until all subscriptions are restored. */
  private async restore(code: number): Promise<void> {
    const { signal } = this.closed;
    this.restoring = true;
    try {
      for (let last = code; ; ) {
        const lost = noAnswer(`The connection to Flowgate was lost repeatedly (${last}).`);
        if (this.losses > this.deps.reconnects) throw lost;
        await pause(retryDelayMs(lost, last === restarting ? this.losses - 1 : this.losses, Math.random), signal);
        try {
          await this.askForAll(await this.connection());
          return;
        } catch (error) {
          if (!(error instanceof LostConnection)) throw error;
          last = error.code;
        }
      }
    } catch (error) {
      if (!signal.aborted)
        this.endAll(
          error instanceof FlowgateError ? error : noAnswer('The connection to Flowgate could not be restored.', error),
        );
    } finally {
      this.restoring = false;
      this.rest();
    }
  }

  private async askForAll(live: LiveSocket): Promise<void> {
    for (const subscription of [...this.subscribed]) {
      if (subscription.remoteId !== undefined || !subscription.wanted) continue;
      try {
        const { timeoutMs } = this.deps;
        await withDeadline({ timeoutMs, signal: this.closed.signal }, () => this.ask(live, subscription));
        if (subscription.wanted && subscription.onGap !== undefined) report(subscription.onGap, undefined);
      } catch (error) {
        if (!(error instanceof FlowgateError)) throw error;
        if (error.isTimeout) throw this.givenUp(live);
        this.end(subscription, error);
      }
    }
  }

  /** A connection that is open but does not answer counts as lost. */
  private givenUp(live: LiveSocket): LostConnection {
    live.close();
    this.lost(noCloseFrame);
    return new LostConnection(noCloseFrame);
  }

  private ask(live: LiveSocket, subscription: ActiveSubscription): Promise<void> {
    return live.call('eth_subscribe', subscription.params, (id) => {
      const remoteId = String(id);
      // Unsubscribed while the answer was in flight.
      if (!subscription.wanted) void ended(live, remoteId);
      else {
        subscription.remoteId = remoteId;
        this.subscribed.add(subscription);
        live.listenTo(remoteId, (data) => report(subscription.onData, data));
      }
    });
  }

  private async unsubscribe(subscription: ActiveSubscription): Promise<boolean> {
    const { live } = this;
    const { remoteId } = subscription;
    subscription.wanted = false;
    this.subscribed.delete(subscription);
    delete subscription.remoteId;
    this.rest();
    if (remoteId === undefined || live === undefined) return false;
    live.forget(remoteId);
    return ended(live, remoteId);
  }

  private end(subscription: ActiveSubscription, error: FlowgateError): void {
    subscription.wanted = false;
    if (this.subscribed.delete(subscription)) report(subscription.onError, error);
  }

  private endAll(error: FlowgateError): void {
    for (const subscription of [...this.subscribed]) this.end(subscription, error);
  }
}

/** The gateway's subscriptions end with their connection. */
function ended(live: LiveSocket, remoteId: string): Promise<boolean> {
  return live.call('eth_unsubscribe', [remoteId], (result) => result === true).catch(() => false);
}

/** A listener that throws does not affect the others. */
function report<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
