/** A health check over a WebSocket: requests for the chain and for its head, on a separate connection. */

import type { Deadline } from '@flowgate/async/timer-wheel';
import { TextContent } from '@flowgate/bytes/byte-content';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import type { LargeMessage } from '@flowgate/websocket/client/frame-reader';
import { headQuestion, readHead } from '../port/chain-proof.ts';
import type { FailedTry, ProbeReply } from '../port/node-transport.ts';
import { answerIdOf, notAnId } from '../response/answer-id.ts';
import { ProvenSocket, type ProvenSocketOwner, type SocketPlace } from './proven-socket.ts';

/** Never rejects. The request for the head may take `timeoutMs`; without an answer the node has proved its chain, and its height is unknown. */
export function probeSocket(place: SocketPlace, timeoutMs: number): Promise<ProbeReply> {
  return new Promise((resolve) => new Probe(place, timeoutMs, resolve).begin());
}

class Probe implements ProvenSocketOwner {
  readonly #socket: ProvenSocket;
  #startedMs = 0;
  #deadline: Deadline | undefined;

  constructor(
    private readonly place: SocketPlace,
    private readonly timeoutMs: number,
    private readonly resolve: (reply: ProbeReply) => void,
  ) {
    this.#socket = new ProvenSocket(place, this);
  }

  begin(): void {
    this.#socket.dial();
  }

  proven(): void {
    const { clock, origin, chain } = this.place;
    this.#startedMs = clock.monotonic();
    this.#deadline = origin.timerWheel.arm(this.timeoutMs, () => this.#found(undefined));
    this.#socket.send(new TextContent(headQuestion(chain.family)));
  }

  text(content: ByteRange): void {
    if (answerIdOf(content) !== notAnId.notification) this.#found(content.text());
  }

  large(): LargeMessage {
    this.#found(undefined);
    return { append: () => {}, done: () => {} };
  }

  notUtf8(): void {}

  ended(why: FailedTry): void {
    if (this.#deadline === undefined) this.resolve(why);
    else this.#report(undefined);
  }

  #found(text: string | undefined): void {
    this.#socket.close();
    this.#report(text);
  }

  #report(text: string | undefined): void {
    const { clock, origin, chain } = this.place;
    if (this.#deadline !== undefined) origin.timerWheel.disarm(this.#deadline);
    const latencyMs = Math.max(1, Math.round(clock.monotonic() - this.#startedMs));
    this.resolve({
      ok: true,
      latencyMs,
      blockHeight: text === undefined ? undefined : readHead(chain.family, 200, text),
    });
  }
}
