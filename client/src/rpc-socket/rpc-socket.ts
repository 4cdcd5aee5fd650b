/** JSON-RPC and subscriptions over a WebSocket that is opened when it is needed, opened again when it is lost, and closed when nothing needs it. */

import { pause, withDeadline } from '../deadline.ts';
import { FlowgateError } from '../flowgate-error.ts';
import { isRepeatableMethod } from '../repeatable-method.ts';
import { retryDelayMs } from '../retry-delay.ts';
import { type LiveSocket, LostConnection, noAnswer, noCloseFrame } from './live-socket.ts';

export type SubscriptionListener = {
  readonly onData: (result: unknown) => void;
  /** The last thing that is heard. */
  readonly onError: (error: FlowgateError) => void;
  /** The connection was lost and is there again: what happened in between was not told. */
  readonly onGap?: (() => void) | undefined;
};

export type SocketSubscription = {
  /** Whether the gateway knew it. Nothing is heard from the moment of the call. */
  readonly unsubscribe: () => Promise<boolean>;
};

export type RpcSocketDeps = {
  /** A new connection, after as many attempts as are worth while; `lost` is called with the close code when it ends by itself. Throws `FlowgateError` when there is none to be had. */
  readonly connect: (lost: (code: number) => void, signal: AbortSignal) => Promise<LiveSocket>;
  readonly timeoutMs: number;
  /** How many connections in a row may be lost within `steadyMs` before subscriptions end with an error. */
  readonly reconnects: number;
  /** A connection that nothing needs is closed after this long. */
  readonly idleMs: number;
};

/** `wanted` until it is given up; `remoteId` while the gateway has it on the present connection. */
type Held = SubscriptionListener & { readonly params: readonly unknown[]; wanted: boolean; remoteId?: string };

/** A connection that lasts so long does not count among those that are lost again and again. */
const steadyMs = 30_000;
/** Close code of a gateway that restarts: the next one is there at once (contract/websocket#closing). */
const restarting = 1012;

export class RpcSocket {
  private readonly deps: RpcSocketDeps;
  private readonly held = new Set<Held>();
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

  /** The call's `result`. A plain read whose answer was lost with the connection is asked once more; of everything else no one knows whether it was executed. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const may = isRepeatableMethod(method) ? '' : `; ${method} may have been executed`;
    return this.using(signal, may === '', may, (live, inner) => live.call(method, params, (result) => result, inner));
  }

  /** `eth_subscribe` with these params; continues over new connections. Throws as `request` does. */
  async subscribe(params: readonly unknown[], listener: SubscriptionListener): Promise<SocketSubscription> {
    const held: Held = { ...listener, params, wanted: true };
    try {
      // Without the signal: a subscription that begins too late has to be heard of, to be ended.
      await this.using(undefined, true, '', (live) => this.ask(live, held));
    } catch (error) {
      held.wanted = false;
      throw error;
    }
    return { unsubscribe: () => this.unsubscribe(held) };
  }

  /** Ends the connection and every subscription, without a word to them. Calls in progress fail. */
  close(): void {
    this.closed.abort(noAnswer('The connection to Flowgate was closed by its user.'));
    for (const held of this.held) held.wanted = false;
    this.held.clear();
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
    if (this.callers + this.held.size > 0 || this.closed.signal.aborted) return;
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
    for (const held of this.held) delete held.remoteId;
    this.losses = performance.now() - this.since > steadyMs ? 1 : this.losses + 1;
    if (this.held.size > 0 && !this.restoring) void this.restore(code);
  }

  /** Until every subscription is there again. */
  private async restore(code: number): Promise<void> {
    const { signal } = this.closed;
    this.restoring = true;
    try {
      for (let last = code; ; ) {
        const lost = noAnswer(`The connection to Flowgate was lost again and again (${last}).`);
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
      if (!signal.aborted) this.endAll(error instanceof FlowgateError ? error : noAnswer('Flowgate is lost.', error));
    } finally {
      this.restoring = false;
      this.rest();
    }
  }

  private async askForAll(live: LiveSocket): Promise<void> {
    for (const held of [...this.held]) {
      if (held.remoteId !== undefined || !held.wanted) continue;
      try {
        const { timeoutMs } = this.deps;
        await withDeadline({ timeoutMs, signal: this.closed.signal }, () => this.ask(live, held));
        if (held.wanted && held.onGap !== undefined) report(held.onGap, undefined);
      } catch (error) {
        if (!(error instanceof FlowgateError)) throw error;
        if (error.isTimeout) throw this.givenUp(live);
        this.end(held, error);
      }
    }
  }

  /** A connection that lives and does not answer is no connection. */
  private givenUp(live: LiveSocket): LostConnection {
    live.close();
    this.lost(noCloseFrame);
    return new LostConnection(noCloseFrame);
  }

  private ask(live: LiveSocket, held: Held): Promise<void> {
    return live.call('eth_subscribe', held.params, (id) => {
      const remoteId = String(id);
      // Given up while the answer was in flight.
      if (!held.wanted) void ended(live, remoteId);
      else {
        held.remoteId = remoteId;
        this.held.add(held);
        live.listenTo(remoteId, (data) => report(held.onData, data));
      }
    });
  }

  private async unsubscribe(held: Held): Promise<boolean> {
    const { live } = this;
    const { remoteId } = held;
    held.wanted = false;
    this.held.delete(held);
    delete held.remoteId;
    this.rest();
    if (remoteId === undefined || live === undefined) return false;
    live.forget(remoteId);
    return ended(live, remoteId);
  }

  private end(held: Held, error: FlowgateError): void {
    held.wanted = false;
    if (this.held.delete(held)) report(held.onError, error);
  }

  private endAll(error: FlowgateError): void {
    for (const held of [...this.held]) this.end(held, error);
  }
}

/** A connection that is lost has taken its subscriptions along. */
function ended(live: LiveSocket, remoteId: string): Promise<boolean> {
  return live.call('eth_unsubscribe', [remoteId], (result) => result === true).catch(() => false);
}

/** A listener that throws must not keep others from being told. */
function report<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
