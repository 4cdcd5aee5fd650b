/** One connection of the HTTP/1.1 server: reads its requests one after another, answers each before it reads the next, and closes it wherever a reader could lose his place. */

import { findHeadEnd } from '../../platform/http1/http1-head.ts';
import type { AnswerConnection, IncomingRequest, OutgoingReply } from '../incoming-request.ts';
import type { HeadFault } from './head-fault.ts';
import { IncomingBody } from './incoming-body.ts';
import { incompleteHeadFault, mostHeadBytes, oversizeFault } from './incomplete-head.ts';
import { OutgoingBytes } from './outgoing-bytes.ts';
import { dropReply, type ReplyOutcome, ReplySender } from './reply-sender.ts';
import type { RequestHandler } from './request-handler.ts';
import { RequestHead } from './request-head.ts';

/** As much of a socket as a connection needs. */
export type ServerSocket = {
  readonly write: (bytes: string | Uint8Array) => number;
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

/** Requests that came while one is answered. */
const mostPipelinedBytes = 65_536;
const lateHead: HeadFault = { status: 408, detail: 'The request head did not arrive in time.' };
/** What is left of an answer that is over has this long to be fetched. */
const fetchingTheRestMs = 4_000;
const broken = new Error('The connection broke.');
const continueLine = 'HTTP/1.1 100 Continue\r\n\r\n';

/** `head`: reads one. `answering`: until the answer has left. `skipping`: the answer has left before its request had come. `lingering`: nothing is answered any more, and what comes is thrown away. */
type State = 'head' | 'answering' | 'skipping' | 'lingering' | 'closed';

export class ServerConnection implements IncomingRequest {
  #state: State = 'head';
  /** Bytes that no request has used, from `#at` on; up to `#searched` no head ends in them. */
  #bytes: Buffer | undefined;
  #at = 0;
  #searched = 0;
  /** When this state has lasted too long; changed by each step, looked at by `check`. */
  #dueMs: number;
  readonly #head = new RequestHead();
  readonly #out: OutgoingBytes;
  readonly #sender: ReplySender;
  body: IncomingBody = noBody;
  #isReading = false;
  #isPaused = false;
  #hasEnded = false;
  #closesAfter = false;
  #awaitsContinue = false;
  #abort: AbortController | undefined;
  /** When an answer that is over has been fetched. */
  #fetchedByMs: number | undefined;

  constructor(
    private readonly socket: ServerSocket,
    private readonly owner: ConnectionOwner,
  ) {
    this.#out = new OutgoingBytes(socket, owner.nowMs);
    this.#sender = new ReplySender(this.#out, owner.dateLine);
    // Who connects and says nothing has the time of a head.
    this.#dueMs = owner.nowMs() + owner.timeouts.headMs;
  }

  get method(): string {
    return this.#head.line.method;
  }

  get target(): string {
    return this.#head.line.target;
  }

  get peer(): string {
    return this.socket.remoteAddress;
  }

  /** Neither answering nor in the middle of a request. */
  get isIdle(): boolean {
    return this.#state === 'head' && this.#bytes === undefined;
  }

  get isAnswering(): boolean {
    return this.#state === 'answering';
  }

  readonly header = (name: string): string | null => this.#head.fields.get(name);

  readonly eachHeader = (listen: (name: string, value: string) => void): void => {
    const { fields } = this.#head;
    for (let index = 0; index < fields.count; index++) listen(fields.name(index), fields.value(index));
  };

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  /** An answer keeps its connection by itself, for as long as it is fetched. */
  readonly connection: AnswerConnection = {
    keepOpen: ignore,
    letGo: () => {
      if (this.#state === 'answering') this.#fetchedByMs = this.owner.nowMs() + fetchingTheRestMs;
    },
    rest: ignore,
  };

  /** The socket brought bytes, which stay as they are. */
  data(piece: Buffer): void {
    if (this.#state === 'closed' || this.#state === 'lingering') return;
    let from = 0;
    if (this.#state !== 'head' && !this.body.isComplete) {
      from = this.body.push(piece, 0);
      if (from < 0) {
        // Where the next request begins cannot be told.
        this.#closesAfter = true;
        if (this.#state === 'skipping') this.#linger();
        return;
      }
      if (this.#state === 'skipping' && this.body.isComplete) this.#begin();
    }
    if (from < piece.length) this.#keep(from === 0 ? piece : piece.subarray(from));
    if (this.#state === 'head') this.#read();
    this.#pauseOrResume();
  }

  /** The caller sends nothing more. */
  end(): void {
    this.#hasEnded = true;
    // Who reads a stream for ever and has closed his side is gone, as far as can be told.
    if (this.#sender.isStreaming) this.terminate();
    else if (this.#state === 'answering') {
      this.body.fail(broken);
      this.#closesAfter = true;
    } else if (this.#state !== 'closed') this.#close();
  }

  /** The socket has room for more. */
  drain(): void {
    this.#sender.drain();
  }

  /** The socket is gone. */
  closed(): void {
    if (this.#state === 'closed') return;
    const abort = this.#state === 'answering' ? this.#abort : undefined;
    this.#state = 'closed';
    this.#bytes = undefined;
    this.body.fail(broken);
    this.#sender.broken();
    abort?.abort(broken);
  }

  /** Ends what has lasted too long. To be called about once a second. */
  check(nowMs: number): void {
    const { stuckSinceMs } = this.#out;
    if (stuckSinceMs !== undefined && nowMs - stuckSinceMs > this.owner.timeouts.writeMs) {
      this.terminate();
      return;
    }
    if (this.#fetchedByMs !== undefined && nowMs > this.#fetchedByMs) {
      this.terminate();
      return;
    }
    if (this.#state === 'answering' || this.#state === 'closed' || nowMs < this.#dueMs) return;
    if (this.#state === 'head' && this.#bytes !== undefined) this.#refuse(lateHead);
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
    const held = this.#bytes;
    if (held === undefined) {
      this.#bytes = piece;
      this.#at = 0;
      this.#searched = 0;
      if (this.#state === 'head') this.#dueMs = this.owner.nowMs() + this.owner.timeouts.headMs;
      return;
    }
    this.#bytes = Buffer.concat([held.subarray(this.#at), piece]);
    this.#searched = Math.max(0, this.#searched - this.#at);
    this.#at = 0;
  }

  /** Reads request after request, for as long as each is answered at once. */
  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#state === 'head' && this.#bytes !== undefined) if (!this.#readOne(this.#bytes)) break;
    this.#isReading = false;
  }

  #readOne(bytes: Buffer): boolean {
    // One empty line before a request is forgiven (RFC 9112 2.2).
    const from = bytes[this.#at] === 13 && bytes[this.#at + 1] === 10 ? this.#at + 2 : this.#at;
    const end = findHeadEnd(bytes, Math.max(from, this.#searched));
    if (end === -1) {
      const isBlankSoFar = bytes.length - this.#at < 2 && bytes[this.#at] === 13;
      const fault = isBlankSoFar ? undefined : incompleteHeadFault(bytes, from, Math.max(from, this.#searched));
      this.#searched = Math.max(from, bytes.length - 3);
      if (fault !== undefined) this.#refuse(fault, this.#head.targetOf(bytes, from));
      return false;
    }
    const fault = end - from > mostHeadBytes ? oversizeFault(bytes, from) : this.#head.parse(bytes, from, end);
    if (fault !== undefined) {
      this.#refuse(fault, this.#head.targetOf(bytes, from));
      return false;
    }
    this.#dispatch(bytes, end);
    return true;
  }

  #dispatch(bytes: Buffer, headEnd: number): void {
    const head = this.#head;
    this.#state = 'answering';
    this.#closesAfter = !head.keepsAlive || this.#hasEnded;
    this.#awaitsContinue = head.expectsContinue;
    this.body = new IncomingBody(head.body, this);
    let rest = headEnd;
    if (head.body !== 0 && headEnd < bytes.length) {
      rest = this.body.push(bytes, headEnd);
      if (rest < 0) {
        this.#closesAfter = true;
        rest = bytes.length;
      }
      this.#awaitsContinue = false;
    }
    this.#bytes = rest < bytes.length ? bytes : undefined;
    this.#at = rest;
    this.#searched = rest;
    try {
      const reply = this.owner.handler.handle(this);
      if (reply instanceof Promise) reply.then(this.#reply, this.#bug);
      else this.#reply(reply);
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
    const closes =
      this.#closesAfter ||
      // Refused with bytes still to come: they would have to be read only to be thrown away. Who waits to be asked for content may send it or not.
      (!this.body.isComplete && (reply.status >= 400 || this.#awaitsContinue)) ||
      this.owner.isDraining() ||
      reply.headers['Connection'] === 'close';
    this.#sender.send(reply, { method: this.method, minor: this.#head.line.minor, closes }, this.#outcome);
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
    if (!this.body.isComplete) this.body.discard();
    if (closes) {
      if (this.body.isComplete || this.#hasEnded) this.#close();
      else this.#linger();
      return;
    }
    if (this.body.isComplete) this.#begin();
    else {
      this.#state = 'skipping';
      this.#dueMs = this.owner.nowMs() + this.owner.timeouts.discardMs;
    }
    this.#pauseOrResume();
    this.#read();
  }

  #begin(): void {
    this.#state = 'head';
    this.body = noBody;
    this.#abort = undefined;
    this.#fetchedByMs = undefined;
    const { headMs, idleMs } = this.owner.timeouts;
    this.#dueMs = this.owner.nowMs() + (this.#bytes === undefined ? idleMs : headMs);
  }

  #refuse(fault: HeadFault, target = ''): void {
    this.#state = 'answering';
    this.#closesAfter = true;
    this.body = new IncomingBody(Number.MAX_SAFE_INTEGER, this);
    this.#bytes = undefined;
    this.#reply(this.owner.handler.refuse(fault, target));
  }

  /** A connection that is reset under a caller who still sends loses the answer (RFC 9112 9.6). */
  #linger(): void {
    this.#state = 'lingering';
    this.#bytes = undefined;
    this.#dueMs = this.owner.nowMs() + this.owner.timeouts.discardMs;
    this.#pauseOrResume();
    this.#sender.whenEmpty(() => this.socket.shutdown());
  }

  #close(): void {
    this.#state = 'closed';
    this.#bytes = undefined;
    this.#sender.whenEmpty(() => this.socket.end());
  }

  #pauseOrResume(): void {
    const isTooMuch =
      this.#state === 'answering' && (this.body.isFull || (this.#bytes?.length ?? 0) - this.#at > mostPipelinedBytes);
    if (isTooMuch === this.#isPaused) return;
    this.#isPaused = isTooMuch;
    if (isTooMuch) this.socket.pause();
    else this.socket.resume();
  }
}

const noBody = new IncomingBody(0, { wanted: ignore, hasRoom: ignore });

function ignore(): void {}
