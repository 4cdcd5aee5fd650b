/**
 * One connection of the HTTP/1.1 server: answers each request before it reads the next, and closes where the next
 * request's beginning is uncertain. One state machine; reading, content, replies and sending are files of their own.
 */

import { PacedDrop } from '@flowgate/async/paced-drop';
import { type WaitingReader, workUnits } from '@flowgate/async/turn-budget';
import { ChargedLevel } from '@flowgate/bytes/charged-level';
import type { ConnectionOwner, ServerSocket } from './connection-owner.ts';
import type { HeadFault } from './head-fault.ts';
import { IncomingBody } from './incoming-body.ts';
import type { OutgoingReply } from './incoming-request.ts';
import { maxHeadBytes } from './incomplete-head.ts';
import { OutgoingBytes } from './outgoing-bytes.ts';
import { ReceivedRequest } from './received-request.ts';
import { switchingHead } from './reply-head.ts';
import { dropReply, type ReplyOutcome, ReplySender } from './reply-sender.ts';
import { RequestReader } from './request-reader.ts';
import type { TakeOver } from './taken-connection.ts';
import { closesConnection } from './written-reply.ts';

/** The maximum number of buffered bytes of further requests: more than an incomplete head. */
const maxPipelinedBytes = maxHeadBytes + 2;
/** Bytes that wait on one connection are charged, except for a few small messages. */
const waitingSteps = { freeBytes: 16_384, stepBytes: 16_384 };
const lateHead: HeadFault = { status: 408, detail: 'The request head did not arrive in time.' };
const broken = new Error('The connection broke.');
const continueLine = 'HTTP/1.1 100 Continue\r\n\r\n';

/** `head`: reading a head. `answering`: until the answer has been sent. `skipping`: the answer has been sent, and the rest of the request is read and dropped. `lingering`: nothing is answered any more, and received bytes are dropped. */
type State = 'head' | 'answering' | 'skipping' | 'lingering' | 'closed';

export class ServerConnection implements WaitingReader {
  #state: State = 'head';
  /** When the current state times out, in monotonic milliseconds; set by each transition, read by `check`. */
  #dueMs: number;
  readonly #reader = new RequestReader();
  readonly #out: OutgoingBytes;
  readonly #waiting: ChargedLevel;
  readonly #sender: ReplySender;
  readonly #request: ReceivedRequest;
  #isReading = false;
  /** Received bytes are read in a later turn of the event loop. */
  #isWaiting = false;
  #isPaused = false;
  #drop: PacedDrop | undefined;
  #hasEnded = false;
  #closesAfter = false;
  /** The caller has announced that it sends no further request. */
  #isLast = false;
  #awaitsContinue = false;

  constructor(
    private readonly socket: ServerSocket,
    private readonly owner: ConnectionOwner,
  ) {
    this.#waiting = new ChargedLevel(owner.waitingBytes, socket.owner, waitingSteps);
    this.#out = new OutgoingBytes(socket, owner.nowMs, this.#charge);
    this.#sender = new ReplySender(this.#out, owner.dateLine);
    this.#request = new ReceivedRequest(this.#reader.head, socket.remoteAddress, owner.nowMs);
    // Until its first byte, a connection has the time-out of a head.
    this.#dueMs = owner.nowMs() + owner.timeouts.headMs;
  }

  get peer(): string {
    return this.socket.remoteAddress;
  }

  /** Whether it is neither answering nor within a request. */
  get isIdle(): boolean {
    return this.#state === 'head' && this.#reader.isEmpty;
  }

  get isAnswering(): boolean {
    return this.#state === 'answering';
  }

  /** The socket received bytes, which are not modified afterwards. */
  data(piece: Buffer): void {
    if (this.#state === 'closed' || this.#state === 'lingering') {
      this.#drop ??= new PacedDrop(this.owner.turns, this.socket);
      this.#drop.drop(piece.length);
      return;
    }
    this.#keep(piece);
    if (this.#isWaiting) this.#pauseOrResume();
    else if (this.owner.turns.begin(piece.length)) this.#readBuffered();
    else {
      this.#isWaiting = true;
      this.owner.turns.waitToBegin(this);
      this.#pauseOrResume();
    }
    this.#charge();
  }

  continueReading(): void {
    this.#isWaiting = false;
    this.#readBuffered();
    this.#charge();
  }

  /** The caller has closed its sending side; complete requests are still answered. */
  end(): void {
    this.#hasEnded = true;
    // A half-closed connection during an endless stream cannot be distinguished from a caller that is gone.
    if (this.#sender.isStreaming) this.terminate();
    else if (this.#isWaiting) return;
    else if (this.#state === 'answering') this.#request.body.fail(broken);
    else if (this.#state !== 'closed') this.#close();
  }

  /** The socket has room for more. */
  drain(): void {
    this.#sender.drain();
  }

  /** The socket is gone. */
  closed(): void {
    this.#drop?.close();
    this.#out.drop();
    this.#waiting.set(0);
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.owner.turns.leave(this);
    this.#reader.drop();
    this.#sender.broken();
    this.#request.break(broken);
  }

  /** Ends the connection if it has timed out. To be called about once a second. */
  check(nowMs: number): void {
    if (this.#out.isTooSlow(nowMs, this.owner.timeouts) || this.#request.isOverdue(nowMs)) {
      this.terminate();
      return;
    }
    if (this.#state === 'answering' || this.#state === 'closed' || nowMs < this.#dueMs) return;
    if (this.#state === 'head' && !this.#reader.isEmpty) this.#refuse(lateHead, this.#reader.brokenTarget);
    else if (this.#state === 'lingering') this.terminate();
    else this.#close();
  }

  /** Closes the connection now if it is idle, otherwise after its answer. */
  drainAndClose(): void {
    if (this.isIdle) this.#close();
    else if (this.#state === 'skipping') this.#linger();
  }

  /** Closes the connection after `ms` milliseconds without a request. */
  leaveWithin(ms: number): void {
    if (this.isIdle) this.#dueMs = Math.min(this.#dueMs, this.owner.nowMs() + ms);
  }

  /** Closes the connection at once. */
  terminate(): void {
    this.closed();
    this.socket.terminate();
  }

  #keep(piece: Buffer): void {
    if (this.#state === 'head' && this.#reader.isEmpty) this.#dueMs = this.owner.nowMs() + this.owner.timeouts.headMs;
    this.#reader.keep(piece);
  }

  /** Reads the rest of the current request's content, then the bytes behind it. */
  #readBuffered(): void {
    if (this.#state === 'answering' || this.#state === 'skipping') this.#fillBody();
    if (this.#state === 'head') this.#read();
    this.#pauseOrResume();
  }

  #fillBody(): void {
    const { body } = this.#request;
    if (body.isComplete) return;
    if (!this.#reader.fill(body)) {
      // The beginning of the next request is unknown.
      this.#closesAfter = true;
      if (this.#state === 'skipping') this.#linger();
    } else if (body.isComplete) {
      if (this.#state === 'skipping') this.#begin();
    } else if (!this.#reader.isEmpty) this.#wait();
    else if (this.#hasEnded) this.#endContent();
  }

  /** Ends the content as incomplete: no more of it can arrive. */
  #endContent(): void {
    if (this.#state === 'skipping') this.#close();
    else this.#request.body.fail(broken);
  }

  #wait(): void {
    this.#isWaiting = true;
    this.owner.turns.waitToContinue(this);
  }

  /** Reads requests one after another, for as long as each is answered at once. */
  #read(): void {
    if (this.#isReading || this.#isWaiting) return;
    this.#isReading = true;
    while (this.#state === 'head' && !this.#reader.isEmpty) {
      const unread = this.#reader.length;
      const found = this.#reader.read();
      const headBytes = unread - this.#reader.length;
      if (found === 'incomplete') {
        if (this.#hasEnded) this.#close();
        break;
      }
      if (found === 'read') this.#dispatch();
      else if (this.#reader.fault !== undefined) this.#refuse(this.#reader.fault, this.#reader.brokenTarget);
      const mayContinue = this.owner.turns.spend(workUnits.request + headBytes);
      if (!mayContinue && !this.#reader.isEmpty) this.#wait();
      if (this.#isWaiting) break;
    }
    this.#isReading = false;
  }

  /** Whether no further request can follow. */
  get #isLastToCome(): boolean {
    return this.#hasEnded && (this.#reader.isEmpty || !this.#request.body.isComplete);
  }

  #dispatch(): void {
    const { head } = this.#reader;
    this.#state = 'answering';
    this.#isLast = !head.isPersistent;
    this.#closesAfter = this.#isLast;
    this.#awaitsContinue = head.expectsContinue && this.#reader.isEmpty;
    const body = new IncomingBody(head.body, this, this.owner.turns);
    this.#request.open(body);
    this.#fillBody();
    try {
      const reply = this.owner.handler.handle(this.#request, this.#report);
      if (reply instanceof Promise) reply.then(this.#reply, this.#bug);
      else if (reply !== undefined) this.#reply(reply);
    } catch (cause) {
      this.#bug(cause);
    }
  }

  /** The handler waits for content, and the caller may wait for `100 Continue`. */
  wanted(): void {
    if (!this.#awaitsContinue) return;
    this.#awaitsContinue = false;
    this.#out.send(continueLine);
  }

  hasRoom(): void {
    this.#pauseOrResume();
  }

  readonly #report = (reply: OutgoingReply): void => {
    try {
      this.#reply(reply);
    } catch (cause) {
      this.#bug(cause);
    }
  };

  readonly #bug = (cause: unknown): void => {
    this.owner.failed(cause);
    this.#closesAfter = true;
    this.#reply({ status: 500, headers: {}, body: null });
  };

  readonly #reply = (reply: OutgoingReply): void => {
    if (this.#state !== 'answering') {
      dropReply(reply);
      return;
    }
    if (reply.takeOver !== undefined) {
      this.#switch(reply, reply.takeOver);
      return;
    }
    const { head } = this.#reader;
    const closes =
      this.#closesAfter ||
      this.#isLastToCome ||
      (!head.allowsPipelining && !this.#reader.isEmpty) ||
      // Refused before the content is complete: the rest would be read only to be dropped, or may never be sent.
      (!this.#request.body.isComplete && (reply.status >= 400 || this.#awaitsContinue)) ||
      this.owner.isDraining() ||
      (this.owner.isHandingOver() && this.#reader.isEmpty) ||
      closesConnection(reply);
    this.#sender.send(reply, { method: head.line.method, minor: head.line.minor, closes }, this.#outcome);
    // While the answer waits for its caller, the bytes of the request's head are released.
    if (this.#state === 'answering') head.release();
  };

  /** HTTP ends here: further bytes belong to the other protocol. */
  #switch(reply: OutgoingReply, takeOver: TakeOver): void {
    const head = switchingHead(reply, this.owner.dateLine());
    this.#out.send(head);
    // If the socket did not accept the head, or is half closed, the caller is gone.
    if (!this.#out.isEmpty || this.#hasEnded) {
      takeOver.abandon();
      this.terminate();
      return;
    }
    const rest = this.#reader.takeRest();
    this.#waiting.set(0);
    this.#state = 'closed';
    if (this.#isPaused) this.socket.resume();
    this.#isPaused = false;
    this.owner.turns.leave(this);
    const taken = takeOver.begin(this.socket, this.owner.nowMs);
    this.#reader.head.release();
    this.#request.close();
    this.socket.pass(taken);
    if (rest !== undefined) taken.data(Buffer.from(rest));
  }

  readonly #outcome: ReplyOutcome = {
    sent: (closes) => this.#sent(closes),
    failed: (cause) => {
      this.owner.failed(cause);
      this.terminate();
    },
  };

  #sent(closes: boolean): void {
    if (this.#state !== 'answering') return;
    if (!this.#request.body.isComplete) this.#request.body.discard();
    if (closes) {
      if (this.#hasEnded || (this.#isLast && this.#request.body.isComplete && this.#reader.isEmpty)) this.#close();
      else this.#linger();
      return;
    }
    // Otherwise a caller that sends requests without fetching answers would fill the memory.
    if (this.#out.isEmpty) this.#continue();
    else this.#sender.whenEmpty(this.#continue);
  }

  /** The answer has been sent: continue to the next request. */
  readonly #continue = (): void => {
    if (this.#state !== 'answering') return;
    const isLeaving = this.owner.isDraining() || (this.owner.isHandingOver() && this.#reader.isEmpty);
    if (this.#closesAfter || this.#isLastToCome || isLeaving) {
      if (this.#hasEnded) this.#close();
      else this.#linger();
      return;
    }
    if (this.#request.body.isComplete) this.#begin();
    else {
      this.#state = 'skipping';
      this.#request.answered();
      this.#dueMs = this.owner.nowMs() + this.owner.timeouts.discardMs;
    }
    this.#pauseOrResume();
    this.#read();
    this.#charge();
  };

  #begin(): void {
    this.#state = 'head';
    this.#reader.head.release();
    this.#request.close();
    const { headMs, idleMs } = this.owner.timeouts;
    this.#dueMs = this.owner.nowMs() + (this.#reader.isEmpty ? idleMs : headMs);
  }

  #refuse(fault: HeadFault, target = ''): void {
    this.#state = 'answering';
    this.#closesAfter = true;
    this.#isLast = false;
    this.#request.open(new IncomingBody(Number.MAX_SAFE_INTEGER, this));
    this.#reader.drop();
    this.#reply(this.owner.handler.refuse(fault, target));
  }

  /** Resetting the connection while the caller still sends would lose the answer (RFC 9112 9.6). */
  #linger(): void {
    this.#state = 'lingering';
    this.#request.answered();
    this.#reader.drop();
    this.#dueMs = this.owner.nowMs() + this.owner.timeouts.discardMs;
    this.#pauseOrResume();
    this.#sender.whenEmpty(() => this.socket.shutdown());
  }

  #close(): void {
    this.#state = 'closed';
    this.#reader.drop();
    this.#sender.whenEmpty(() => this.socket.end());
  }

  /** Charges for all waiting bytes; a connection without room for them ends. */
  readonly #charge = (): void => {
    const bytes = this.#reader.length + this.#request.body.buffered + this.#out.length;
    if (!this.#waiting.set(bytes)) this.terminate();
  };

  #pauseOrResume(): void {
    const isTooMuch =
      this.#reader.length > maxPipelinedBytes || (this.#state === 'answering' && this.#request.body.isFull);
    if (isTooMuch === this.#isPaused) return;
    this.#isPaused = isTooMuch;
    if (isTooMuch) this.socket.pause();
    else this.socket.resume();
  }
}
