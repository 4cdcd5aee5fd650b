/** One connection of the HTTP/1.1 server: reads its requests one after another, answers each before it reads the next, and closes it wherever a reader could lose his place. */

import type { OutgoingReply } from '../incoming-request.ts';
import { WrittenReply } from '../written-reply.ts';
import type { HeadFault } from './head-fault.ts';
import { IncomingBody } from './incoming-body.ts';
import { mostHeadBytes } from './incomplete-head.ts';
import { OutgoingBytes } from './outgoing-bytes.ts';
import { ReceivedRequest } from './received-request.ts';
import { dropReply, type ReplyOutcome, ReplySender } from './reply-sender.ts';
import type { RequestHandler } from './request-handler.ts';
import { RequestReader } from './request-reader.ts';

/** As much of a socket as a connection needs. */
export type ServerSocket = {
  readonly write: (bytes: string | Uint8Array) => number;
  readonly writeRange: (bytes: Uint8Array, from: number, length: number) => number;
  /** Ends it after what was written. */
  readonly end: () => void;
  /** Ends what is sent; what comes is still read. */
  readonly shutdown: () => void;
  /** Ends it at once. */
  readonly terminate: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly remoteAddress: string;
};

export type ConnectionOwner = {
  readonly handler: RequestHandler;
  /** Of a moment ago: looked at once in a while, for what takes seconds. */
  readonly nowMs: () => number;
  readonly dateLine: () => string;
  /** From now on every answer closes its connection. */
  readonly isDraining: () => boolean;
  readonly timeouts: ConnectionTimeouts;
  readonly failed: (cause: unknown) => void;
};

export type ConnectionTimeouts = {
  /** From the first byte of a head to its last. */
  readonly headMs: number;
  /** Between an answer and the next request. */
  readonly idleMs: number;
  /** Of an answer that its caller does not fetch. */
  readonly writeMs: number;
  /** For the rest of content that nobody reads, after the answer. */
  readonly discardMs: number;
};

/** Requests that wait for their turn: more than a head that has not ended yet and the empty line before it. */
const mostPipelinedBytes = mostHeadBytes + 2;
/** Requests of one connection that begin in one turn of the event loop; then it is the turn of other connections. */
const mostInATurn = 16;
const lateHead: HeadFault = { status: 408, detail: 'The request head did not arrive in time.' };
const broken = new Error('The connection broke.');
const continueLine = 'HTTP/1.1 100 Continue\r\n\r\n';

/** `head`: reads one. `answering`: until the answer has left. `skipping`: the answer has left before its request had come. `lingering`: nothing is answered any more, and what comes is thrown away. */
type State = 'head' | 'answering' | 'skipping' | 'lingering' | 'closed';

export class ServerConnection {
  #state: State = 'head';
  /** When this state has lasted too long; changed by each step, looked at by `check`. */
  #dueMs: number;
  readonly #reader = new RequestReader();
  readonly #out: OutgoingBytes;
  readonly #sender: ReplySender;
  readonly #request: ReceivedRequest;
  #isReading = false;
  #begunInTurn = 0;
  /** It goes on in the next turn of the event loop. */
  #isYielding = false;
  #isPaused = false;
  #hasEnded = false;
  #closesAfter = false;
  /** The caller has said that it sends no other request. */
  #isLast = false;
  #awaitsContinue = false;

  constructor(
    private readonly socket: ServerSocket,
    private readonly owner: ConnectionOwner,
  ) {
    this.#out = new OutgoingBytes(socket, owner.nowMs);
    this.#sender = new ReplySender(this.#out, owner.dateLine);
    this.#request = new ReceivedRequest(this.#reader.head, socket.remoteAddress, owner.nowMs);
    // Who connects and says nothing has the time of a head.
    this.#dueMs = owner.nowMs() + owner.timeouts.headMs;
  }

  get peer(): string {
    return this.socket.remoteAddress;
  }

  /** Neither answering nor in the middle of a request. */
  get isIdle(): boolean {
    return this.#state === 'head' && this.#reader.isEmpty;
  }

  get isAnswering(): boolean {
    return this.#state === 'answering';
  }

  /** The socket brought bytes, which stay as they are. */
  data(piece: Buffer): void {
    if (this.#state === 'closed' || this.#state === 'lingering') return;
    let from = 0;
    if (this.#state !== 'head' && !this.#request.body.isComplete) {
      from = this.#request.body.push(piece, 0);
      if (from < 0) {
        // Where the next request begins cannot be told.
        this.#closesAfter = true;
        if (this.#state === 'skipping') this.#linger();
        return;
      }
      if (this.#state === 'skipping' && this.#request.body.isComplete) this.#begin();
    }
    if (from < piece.length) this.#keep(from === 0 ? piece : piece.subarray(from));
    if (!this.#isYielding) this.#begunInTurn = 0;
    if (this.#state === 'head') this.#read();
    this.#pauseOrResume();
  }

  /** The caller sends nothing more: what has come is answered. */
  end(): void {
    this.#hasEnded = true;
    // Who reads a stream for ever and has closed his side is gone, as far as can be told.
    if (this.#sender.isStreaming) this.terminate();
    else if (this.#state === 'answering') this.#request.body.fail(broken);
    else if (this.#state !== 'closed' && !this.#isYielding) this.#close();
  }

  /** The socket has room for more. */
  drain(): void {
    this.#sender.drain();
  }

  /** The socket is gone. */
  closed(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#reader.drop();
    this.#sender.broken();
    this.#request.break(broken);
  }

  /** Ends what has lasted too long. To be called about once a second. */
  check(nowMs: number): void {
    const { stuckSinceMs } = this.#out;
    if (stuckSinceMs !== undefined && nowMs - stuckSinceMs > this.owner.timeouts.writeMs) {
      this.terminate();
      return;
    }
    if (this.#request.isOverdue(nowMs)) {
      this.terminate();
      return;
    }
    if (this.#state === 'answering' || this.#state === 'closed' || nowMs < this.#dueMs) return;
    if (this.#state === 'head' && !this.#reader.isEmpty) this.#refuse(lateHead, this.#reader.brokenTarget);
    else if (this.#state === 'lingering') this.terminate();
    else this.#close();
  }

  /** Idle connections close now, others after their answer. */
  drainAndClose(): void {
    if (this.isIdle) this.#close();
    else if (this.#state === 'skipping') this.#linger();
  }

  /** Ends it at once. */
  terminate(): void {
    this.closed();
    this.socket.terminate();
  }

  #keep(piece: Buffer): void {
    if (this.#state === 'head' && this.#reader.isEmpty) this.#dueMs = this.owner.nowMs() + this.owner.timeouts.headMs;
    this.#reader.keep(piece);
  }

  /** Reads request after request, for as long as each is answered at once. */
  #read(): void {
    if (this.#isReading || this.#isYielding) return;
    this.#isReading = true;
    while (this.#state === 'head' && !this.#reader.isEmpty) {
      if (this.#begunInTurn === mostInATurn) {
        this.#isYielding = true;
        setImmediate(this.#readOn);
        break;
      }
      const found = this.#reader.read();
      if (found === 'incomplete') {
        if (this.#hasEnded) this.#close();
        break;
      }
      this.#begunInTurn += 1;
      if (found === 'read') this.#dispatch();
      else if (this.#reader.fault !== undefined) this.#refuse(this.#reader.fault, this.#reader.brokenTarget);
    }
    this.#isReading = false;
  }

  readonly #readOn = (): void => {
    this.#isYielding = false;
    this.#begunInTurn = 0;
    this.#read();
    this.#pauseOrResume();
  };

  /** Nothing follows that could be answered. */
  get #isLastToCome(): boolean {
    return this.#hasEnded && (this.#reader.isEmpty || !this.#request.body.isComplete);
  }

  #dispatch(): void {
    const { head } = this.#reader;
    this.#state = 'answering';
    this.#isLast = !head.keepsAlive;
    this.#closesAfter = this.#isLast;
    this.#awaitsContinue = head.expectsContinue && this.#reader.isEmpty;
    const body = new IncomingBody(head.body, this);
    this.#request.open(body);
    // Where the next request begins cannot be told of content that is malformed.
    if (!this.#reader.fill(body)) this.#closesAfter = true;
    if (this.#hasEnded) body.fail(broken);
    try {
      const reply = this.owner.handler.handle(this.#request, this.#tell);
      if (reply instanceof Promise) reply.then(this.#reply, this.#bug);
      else if (reply !== undefined) this.#reply(reply);
    } catch (cause) {
      this.#bug(cause);
    }
  }

  /** Somebody waits for content: its caller may wait to be asked for it. */
  wanted(): void {
    if (!this.#awaitsContinue) return;
    this.#awaitsContinue = false;
    this.#out.send(continueLine);
  }

  hasRoom(): void {
    this.#pauseOrResume();
  }

  readonly #tell = (reply: OutgoingReply): void => {
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
    const { head } = this.#reader;
    const closes =
      this.#closesAfter ||
      this.#isLastToCome ||
      (!head.allowsPipelining && !this.#reader.isEmpty) ||
      // Refused with bytes still to come: they would have to be read only to be thrown away. Who waits to be asked for content may send it or not.
      (!this.#request.body.isComplete && (reply.status >= 400 || this.#awaitsContinue)) ||
      this.owner.isDraining() ||
      closesAfter(reply);
    this.#sender.send(reply, { method: head.line.method, minor: head.line.minor, closes }, this.#outcome);
  };

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
    // Whoever sends requests and fetches no answers would otherwise fill the memory with them.
    if (this.#out.isEmpty) this.#goOn();
    else this.#sender.whenEmpty(this.#goOn);
  }

  /** The answer has left: the next request's turn. */
  readonly #goOn = (): void => {
    if (this.#state !== 'answering') return;
    if (this.#closesAfter || this.#isLastToCome || this.owner.isDraining()) {
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

  /** A connection that is reset under a caller who still sends loses the answer (RFC 9112 9.6). */
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

  #pauseOrResume(): void {
    const isTooMuch =
      this.#reader.length > mostPipelinedBytes || (this.#state === 'answering' && this.#request.body.isFull);
    if (isTooMuch === this.#isPaused) return;
    this.#isPaused = isTooMuch;
    if (isTooMuch) this.socket.pause();
    else this.socket.resume();
  }
}

function closesAfter(reply: OutgoingReply): boolean {
  return reply instanceof WrittenReply ? reply.closes : reply.headers['Connection'] === 'close';
}
