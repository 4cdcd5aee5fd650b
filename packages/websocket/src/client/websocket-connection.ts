/**
 * One WebSocket connection of a client (RFC 6455): connects, performs the handshake, carries messages, detects a silent
 * server, and ends. Longer than other files, because all of it is the state of one connection.
 */

import { PacedInput } from '@flowgate/async/paced-input';
import type { Deadline } from '@flowgate/async/timer-wheel';
import { workUnits } from '@flowgate/async/turn-budget';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';
import { type ByteContent, TextContent } from '@flowgate/bytes/byte-content';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import { dial } from '@flowgate/http1/client/http1-dial';
import { findHeadEnd } from '@flowgate/http1/client/http1-head';
import type { Socket } from 'bun';
import { type FrameFault, FrameReader, type LargeMessage } from './frame-reader.ts';
import { FrameWriter, opcodes } from './frame-writer.ts';
import { checkHandshake, createKey } from './websocket-handshake.ts';
import type { WebSocketOrigin } from './websocket-origin.ts';

/**
 * Why a connection ended. Details quote nothing and name neither host nor address.
 * - `connect`: it was never established.
 * - `refused`: the answer to the handshake had another status than 101.
 * - `broken`: closed or silent.
 * - `malformed`: the server violated the protocol.
 */
export type WebSocketEnd =
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'connect' | 'broken' | 'malformed'; readonly detail: string };

/** The callbacks of a connection; it does nothing after `ended`. */
export type WebSocketOwner = {
  opened(): void;
  /** A message of at most 64 KiB: UTF-8, in bytes that no later call changes. */
  text(content: ByteRange): void;
  /** As in `FrameListener`. */
  large(head: ByteRange): LargeMessage;
  /** The last message, which is not UTF-8; `ended` follows. */
  notUtf8(content: ByteRange): void;
  ended(end: WebSocketEnd): void;
};

const maxHeadBytes = 16_384;
/** Control frames that the server may send between two checks for a sign of life, which are `silenceMs` apart. */
export const maxControlFrames = 256;
const closingMs = 2_000;
const normalClosure = 1000;
const policyViolation = 1008;

export class WebSocketConnection {
  #state: 'dialing' | 'shaking' | 'open' | 'closed' = 'dialing';
  #socket: Socket<undefined> | undefined;
  readonly #key: string;
  /** The head of the handshake's answer, until it is complete. */
  readonly #head = new ByteBuffer();
  readonly #reader: FrameReader;
  readonly #input: PacedInput;
  #controlFrames = 0;
  readonly #writer: FrameWriter;
  /** The deadline for connecting, for the handshake, or for a sign of life. */
  #deadline: Deadline | undefined;
  #willFlush = false;
  readonly #flush = () => this.#flushNow();
  readonly #look = () => this.#listen();
  #hasHeard = false;
  #hasAsked = false;

  constructor(
    private readonly origin: WebSocketOrigin,
    private readonly owner: WebSocketOwner,
  ) {
    this.#key = createKey(origin.randomBytes);
    this.#writer = new FrameWriter(origin.takeMask);
    this.#reader = new FrameReader(
      {
        text: (content) => owner.text(content),
        large: (head) => owner.large(head),
        notUtf8: (content) => owner.notUtf8(content),
        ping: (content) => {
          this.#countControl();
          this.#control(opcodes.pong, content);
        },
        pong: () => this.#countControl(),
        closed: (code) => this.#closedBy(code),
      },
      origin.maxMessageBytes,
      origin.turns,
    );
    this.#input = new PacedInput(origin.turns, (piece, from) => this.#receive(piece, from));
  }

  /** The number of messages passed to `send`. */
  get sent(): number {
    return this.#writer.added;
  }

  /** How many of them were written; no byte of later ones was sent. */
  get written(): number {
    return this.#writer.passed;
  }

  /** Bytes that the socket has not accepted yet. */
  get waitingBytes(): number {
    return this.#writer.waiting;
  }

  /** Calls `opened` or `ended`. */
  dial(): void {
    const { connectTimeoutMs, timerWheel } = this.origin;
    this.#deadline = timerWheel.arm(connectTimeoutMs, () => this.#end({ kind: 'connect', detail: 'timed out' }));
    dial(this.origin, {
      connected: (socket) => {
        this.#socket = socket;
        if (this.#state === 'closed') socket.terminate();
        else this.#input.connected(socket);
      },
      opened: () => this.#shake(),
      failed: (detail) => this.#end({ kind: 'connect', detail }),
      received: (piece) => this.#input.push(piece),
      drained: () => this.#drained(),
      ended: () => this.#input.after(() => this.#lost('closed by the server')),
      lost: (detail) => this.#input.after(() => this.#lost(detail)),
    });
  }

  /** Requires an open connection. Messages of one turn of the event loop are written together, at its end. */
  send(content: ByteContent): void {
    this.#writer.add(content);
    this.#flushLater();
  }

  /** Sends a close frame, and closes. The owner's callbacks are not called any more. */
  close(): void {
    this.#finish(normalClosure);
  }

  #shake(): void {
    if (this.#state !== 'dialing') return;
    this.#state = 'shaking';
    this.#arm(this.origin.connectTimeoutMs, () => this.#end({ kind: 'connect', detail: 'no answer to the handshake' }));
    const request = Buffer.from(`${this.origin.head}${this.#key}\r\n\r\n`, 'latin1');
    // A few hundred bytes on a new connection: a partial write means that the connection is lost.
    if (this.#socket?.write(request) !== request.length) this.#end({ kind: 'connect', detail: 'closed' });
  }

  /** Returns the index at which its share of the turn ended, or the piece's length. */
  #receive(piece: Uint8Array, from: number): number {
    this.#hasHeard = true;
    if (this.#state === 'open') return this.#read(piece, from);
    if (this.#state === 'shaking') return piece.length - this.#readHead(piece);
    return piece.length;
  }

  /** Returns the number of bytes at the end of the piece that were not read. */
  #readHead(piece: Uint8Array): number {
    const head = this.#head;
    const searched = Math.max(0, head.length - 3);
    head.append(piece, 0, piece.length);
    let from = 0;
    const bytes = head.view();
    for (let end = findHeadEnd(bytes, searched); end !== -1; end = findHeadEnd(bytes, from)) {
      const verdict = checkHandshake(bytes, from, end, this.#key);
      from = end;
      if (verdict.kind === 'interim') continue;
      if (verdict.kind === 'open') return this.#open(bytes.subarray(end));
      this.#end(verdict);
      return 0;
    }
    if (bytes.length > maxHeadBytes) this.#end({ kind: 'malformed', detail: 'the head of the handshake is too large' });
    else if (from > 0) {
      const rest = Buffer.from(bytes.subarray(from));
      head.clear();
      head.append(rest, 0, rest.length);
    }
    return 0;
  }

  /** `rest`: the bytes behind the handshake. Returns the number of its last bytes that were not read. */
  #open(rest: Uint8Array): number {
    this.#state = 'open';
    this.#head.take();
    this.#arm(this.origin.silenceMs, this.#look);
    this.owner.opened();
    return rest.length - this.#read(rest, 0);
  }

  #read(piece: Uint8Array, from: number): number {
    const problem = this.#reader.push(piece, from);
    if (problem !== undefined) this.#violated(problem);
    return this.#reader.usedTo;
  }

  #countControl(): void {
    this.origin.turns.spend(workUnits.controlFrame);
    if (++this.#controlFrames > maxControlFrames)
      this.#violated({ code: policyViolation, detail: 'too many control frames' });
  }

  #violated({ code, detail }: FrameFault): void {
    if (this.#state === 'closed') return;
    this.#finish(code);
    this.owner.ended({ kind: 'malformed', detail });
  }

  #closedBy(code: number): void {
    if (this.#state === 'closed') return;
    // RFC 6455 5.5.1: the same code back.
    this.#finish(code === 1005 ? undefined : code);
    this.owner.ended({ kind: 'broken', detail: `closed with ${code}` });
  }

  /** Nothing was received for `silenceMs`. */
  #listen(): void {
    if (this.#state !== 'open') return;
    if (!this.#hasHeard && this.#hasAsked) {
      this.#end({ kind: 'broken', detail: 'silent' });
      return;
    }
    this.#hasAsked = !this.#hasHeard;
    if (this.#hasAsked) this.#control(opcodes.ping, new Uint8Array(0));
    this.#hasHeard = false;
    this.#controlFrames = 0;
    this.#arm(this.origin.silenceMs, this.#look);
  }

  #control(opcode: number, content: Uint8Array): void {
    // RFC 6455 5.5.3: of several pings only the last one has to be answered. A server that sends pings and does not
    // read the answers gets no more of them.
    if (this.#state !== 'open' || (opcode === opcodes.pong && this.#writer.waiting > maxHeadBytes)) return;
    this.#writer.control(opcode, bytesContent(content));
    this.#flushLater();
  }

  #flushLater(): void {
    if (!this.#willFlush) setImmediate(this.#flush);
    this.#willFlush = true;
  }

  #flushNow(): void {
    this.#willFlush = false;
    if (this.#state === 'open' && !this.#writer.flush(this.#socket)) this.#lost('closed while writing');
  }

  #drained(): void {
    if (this.#state === 'open' && !this.#writer.drained(this.#socket)) this.#lost('closed while writing');
  }

  #lost(detail: string): void {
    this.#end({ kind: this.#state === 'open' ? 'broken' : 'connect', detail });
  }

  #end(end: WebSocketEnd): void {
    if (this.#state === 'closed') return;
    this.#stop();
    this.#socket?.terminate();
    this.owner.ended(end);
  }

  /** Sends a close frame and a FIN; the socket is terminated when the server does not close in time. */
  #finish(code: number | undefined): void {
    if (this.#state === 'closed') return;
    const socket = this.#socket;
    const isOpen = this.#state === 'open';
    if (isOpen) {
      this.#writer.control(opcodes.close, code === undefined ? new TextContent('') : codeContent(code));
      this.#writer.flush(socket);
    }
    this.#stop();
    if (isOpen) {
      socket?.end();
      this.origin.timerWheel.arm(closingMs, () => socket?.terminate());
    } else socket?.terminate();
  }

  #stop(): void {
    this.#state = 'closed';
    this.#disarm();
    this.#input.close();
    this.#reader.stop();
    this.#writer.clear();
    this.#head.take();
  }

  #arm(ms: number, then: () => void): void {
    this.#disarm();
    this.#deadline = this.origin.timerWheel.arm(ms, then);
  }

  #disarm(): void {
    if (this.#deadline !== undefined) this.origin.timerWheel.disarm(this.#deadline);
    this.#deadline = undefined;
  }
}

function bytesContent(content: Uint8Array): ByteContent {
  return { length: content.length, writeTo: (writer) => writer.put(content) };
}

function codeContent(code: number): ByteContent {
  return bytesContent(Uint8Array.of(code >>> 8, code & 255));
}
