/** Subscriptions at one node over a separate WebSocket (`eth_subscribe`), until the connection is lost (docs/decisions/0101). */

import type { Deadline } from '@flowgate/async/timer-wheel';
import { type ByteContent, TextContent } from '@flowgate/bytes/byte-content';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import type { LargeMessage } from '@flowgate/websocket/client/frame-reader';
import type { FeedKind, FeedListener, NodeFeed } from '../port/node-feed.ts';
import type { TakeIds } from '../port/node-request.ts';
import { answerIdOf, notAnId } from '../response/answer-id.ts';
import { readSingleAnswer } from '../response/node-answer.ts';
import { readNotification, subscriptionIdOf } from '../response/node-notification.ts';
import { ProvenSocket, type ProvenSocketOwner, type SocketPlace } from './proven-socket.ts';

export type OpenFeed = NodeFeed & { readonly close: () => void };

/** Timeout of the node's answer, and before that of the connection. */
const subscribeTimeoutMs = 5_000;

type Pending = {
  readonly kind: FeedKind;
  readonly listener: FeedListener;
  readonly resolve: (cancel: (() => void) | undefined) => void;
  id: number;
  deadline: Deadline | undefined;
};

/** One connection for all subscriptions, open while there are any. */
export function openWsFeed(place: SocketPlace, takeIds: TakeIds): OpenFeed {
  let present: FeedSocket | undefined;
  let closed = false;
  return {
    subscribe: (kind, listener) =>
      new Promise((resolve) => {
        if (closed) {
          resolve(undefined);
          return;
        }
        if (present === undefined || present.isClosed) present = new FeedSocket(place, takeIds);
        present.subscribe({ kind, listener, resolve, id: 0, deadline: undefined });
      }),
    close() {
      closed = true;
      present?.close();
    },
  };
}

class FeedSocket implements ProvenSocketOwner {
  isClosed = false;
  readonly #socket: ProvenSocket;
  #isProven = false;
  readonly #pending = new Set<Pending>();
  /** By the node's ids. */
  readonly #listeners = new Map<string, FeedListener>();

  constructor(
    private readonly place: SocketPlace,
    private readonly takeIds: TakeIds,
  ) {
    this.#socket = new ProvenSocket(place, this);
    this.#socket.dial();
  }

  subscribe(pending: Pending): void {
    // A connection can fail at the moment of the request.
    if (this.isClosed) {
      pending.resolve(undefined);
      return;
    }
    this.#pending.add(pending);
    if (this.#isProven) this.#ask(pending);
  }

  close(): void {
    if (this.isClosed) return;
    this.#socket.close();
    this.ended();
  }

  proven(): void {
    this.#isProven = true;
    for (const pending of this.#pending) this.#ask(pending);
  }

  text(content: ByteRange): void {
    const id = answerIdOf(content);
    if (id === notAnId.notification) {
      const reported = readNotification(content);
      // A subscription that has just ended, or an unknown one.
      if (reported !== undefined) this.#listeners.get(reported.subscription)?.notified(reported.result);
      return;
    }
    for (const pending of this.#pending) if (pending.id === id && id > 0) this.#answered(pending, content);
  }

  /** No valid notification is this long, and later ones would have a gap. */
  large(): LargeMessage {
    this.close();
    return { append: () => {}, done: () => {} };
  }

  notUtf8(): void {}

  ended(): void {
    this.isClosed = true;
    const lost = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const pending of [...this.#pending]) this.#settle(pending, undefined);
    for (const listener of lost) listener.lost();
  }

  #ask(pending: Pending): void {
    pending.id = this.takeIds(1);
    pending.deadline = this.place.origin.timerWheel.arm(subscribeTimeoutMs, () => this.#settle(pending, undefined));
    this.#socket.send(request('eth_subscribe', pending.kind, pending.id));
  }

  #answered(pending: Pending, content: ByteRange): void {
    const answer = readSingleAnswer(content, pending.id);
    const name = answer?.kind === 'result' ? subscriptionIdOf(answer.raw) : undefined;
    if (name === undefined || this.#listeners.has(name)) {
      this.#settle(pending, undefined);
      return;
    }
    this.#listeners.set(name, pending.listener);
    this.#settle(pending, () => this.#cancel(name, pending.listener));
  }

  #settle(pending: Pending, cancel: (() => void) | undefined): void {
    if (!this.#pending.delete(pending)) return;
    if (pending.deadline !== undefined) this.place.origin.timerWheel.disarm(pending.deadline);
    pending.resolve(cancel);
    this.#closeIfUnused();
  }

  #cancel(name: string, listener: FeedListener): void {
    if (this.#listeners.get(name) !== listener) return;
    this.#listeners.delete(name);
    this.#socket.send(request('eth_unsubscribe', name, this.takeIds(1)));
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (!this.isClosed && this.#listeners.size === 0 && this.#pending.size === 0) this.close();
  }
}

function request(method: string, param: string, id: number): ByteContent {
  return new TextContent(JSON.stringify({ jsonrpc: '2.0', id, method, params: [param] }));
}
