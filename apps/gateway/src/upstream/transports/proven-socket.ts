/** A WebSocket to a node that carries no call before the node has proved its chain on it (docs/decisions/0045). */

import type { Deadline } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import { type ByteContent, TextContent } from '@flowgate/bytes/byte-content';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import { retryAfterMs } from '@flowgate/http1/retry-after';
import type { LargeMessage } from '@flowgate/websocket/client/frame-reader';
import {
  WebSocketConnection,
  type WebSocketEnd,
  type WebSocketOwner,
} from '@flowgate/websocket/client/websocket-connection';
import type { WebSocketOrigin } from '@flowgate/websocket/client/websocket-origin';
import { type Chain, chainQuestion, proveChain } from '../port/chain-proof.ts';
import type { NodeFault } from '../port/node-faults.ts';
import type { FailedTry } from '../port/node-transport.ts';
import { answerIdOf, notAnId } from '../response/answer-id.ts';
import { failedBy, nodeStatuses } from './http-try.ts';

/** Shared by all sockets to one node. */
export type SocketPlace = {
  readonly origin: WebSocketOrigin;
  readonly chain: Chain;
  /** Timeout of the proof. */
  readonly proofTimeoutMs: number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
};

/** The callbacks of a socket; none follows `ended`. */
export type ProvenSocketOwner = {
  proven(): void;
  text(content: ByteRange): void;
  large(head: ByteRange): LargeMessage;
  notUtf8(content: ByteRange): void;
  /** The meaning for a call of which nothing was sent. */
  ended(why: FailedTry): void;
};

export class ProvenSocket implements WebSocketOwner {
  readonly #connection: WebSocketConnection;
  #isProven = false;
  #deadline: Deadline | undefined;

  constructor(
    private readonly place: SocketPlace,
    private readonly owner: ProvenSocketOwner,
  ) {
    this.#connection = new WebSocketConnection(place.origin, this);
  }

  /** The number of messages passed to `send`. */
  get sent(): number {
    return this.#connection.sent;
  }

  /** The number of written messages. */
  get written(): number {
    return this.#connection.written;
  }

  get waitingBytes(): number {
    return this.#connection.waitingBytes;
  }

  /** Connects; calls `proven` or `ended`. */
  dial(): void {
    this.#connection.dial();
  }

  /** The chain must be proven. */
  send(content: ByteContent): void {
    this.#connection.send(content);
  }

  /** The owner receives no further callback. */
  close(): void {
    this.#disarm();
    this.#connection.close();
  }

  opened(): void {
    const { origin, chain, proofTimeoutMs } = this.place;
    this.#connection.send(new TextContent(chainQuestion(chain.family)));
    this.#deadline = origin.timerWheel.arm(proofTimeoutMs, () => this.#fail('connect', 'no answer to the greeting'));
  }

  text(content: ByteRange): void {
    if (this.#isProven) this.owner.text(content);
    else if (answerIdOf(content) !== notAnId.notification) this.#evaluate(content.text());
  }

  large(head: ByteRange): LargeMessage {
    if (this.#isProven) return this.owner.large(head);
    this.#fail('unfit', 'a large answer to the greeting');
    return ignored;
  }

  notUtf8(content: ByteRange): void {
    if (this.#isProven) this.owner.notUtf8(content);
  }

  ended(end: WebSocketEnd): void {
    this.#disarm();
    this.owner.ended(this.#meaningOf(end));
  }

  #evaluate(text: string): void {
    const proof = proveChain(this.place.chain, 200, text);
    if (proof.kind === 'none') this.#fail('unfit', proof.detail);
    else if (proof.kind === 'wrong') this.#fail('wrong-chain', 'another chain', proof.found);
    else {
      this.#disarm();
      this.#isProven = true;
      this.owner.proven();
    }
  }

  #meaningOf(end: WebSocketEnd): FailedTry {
    if (end.kind !== 'refused')
      return failedBy(end.kind === 'broken' && !this.#isProven ? 'connect' : end.kind, false, end.detail, {});
    const { status, retryAfter } = end;
    return failedBy(nodeStatuses.has(status) ? 'refused' : 'unusable', false, `HTTP ${status} to the handshake`, {
      retryAfterMs: retryAfterMs(retryAfter, this.place.clock.now()),
    });
  }

  #fail(fault: NodeFault, detail: string, foundChain?: string): void {
    this.close();
    this.owner.ended(failedBy(fault, false, detail, { foundChain }));
  }

  #disarm(): void {
    if (this.#deadline !== undefined) this.place.origin.timerWheel.disarm(this.#deadline);
    this.#deadline = undefined;
  }
}

const ignored: LargeMessage = { append: () => {}, done: () => {} };
