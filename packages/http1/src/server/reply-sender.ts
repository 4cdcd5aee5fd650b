/** Sends the answers of one connection, one after another: in one piece if possible, otherwise as a stream. */

import { type ByteContent, bytesOf } from '@flowgate/bytes/byte-content';
import { ByteWriter } from '@flowgate/bytes/byte-writer';
import { isContent, type OutgoingReply } from './incoming-request.ts';
import type { OutgoingBytes } from './outgoing-bytes.ts';
import { type ReplyFraming, replyHead } from './reply-head.ts';
import { replyStart } from './status-line.ts';
import { WrittenReply } from './written-reply.ts';

/** The properties of the request that decide how its answer is sent. */
export type Answered = {
  readonly method: string;
  /** The minor version of HTTP/1.x. */
  readonly minor: number;
  /** The connection closes after the answer. */
  readonly closes: boolean;
};

export type ReplyOutcome = {
  /** The whole answer was passed to the socket. `closes`: nothing may follow it. */
  readonly sent: (closes: boolean) => void;
  /** The answer is incomplete; the connection must close so that the caller notices. */
  readonly failed: (cause: unknown) => void;
};

const maxWrittenHeadBytes = 2_048;
const maxWrittenChars = 16_384;
/** A character has at most three bytes. */
const maxWrittenBytes = 3 * maxWrittenChars;
/** Shared by all connections, because its content is sent within the same turn of the event loop. */
const writer = new ByteWriter(maxWrittenHeadBytes + maxWrittenBytes);
const lengthName = Buffer.from('Content-Length: ');
const closeLine = Buffer.from('Connection: close\r\n');
const headEnd = Buffer.from('\r\n\r\n');

export class ReplySender {
  #whenEmpty: (() => void) | undefined;
  #breakOff: (() => void) | undefined;

  constructor(
    private readonly out: OutgoingBytes,
    private readonly dateLine: () => string,
  ) {}

  /** Whether a streamed answer is in flight. */
  get isStreaming(): boolean {
    return this.#breakOff !== undefined;
  }

  send(reply: OutgoingReply, answered: Answered, outcome: ReplyOutcome): void {
    const { body } = reply;
    this.out.begin(reply.isOpenEnded === true);
    const isPlain = typeof body === 'string' || isContent(body);
    if (reply instanceof WrittenReply && isPlain && answered.minor === 1 && isShort(reply, body)) {
      this.#sendWritten(reply, body, answered.closes);
      outcome.sent(answered.closes);
      return;
    }
    const framing = framingOf(reply, answered);
    let head: string;
    try {
      head = replyHead(reply, this.dateLine(), framing);
    } catch (cause) {
      dropReply(reply);
      outcome.failed(cause);
      return;
    }
    const hasContent = body !== null && answered.method !== 'HEAD';
    if (typeof body === 'string' && hasContent) this.out.send(head + body);
    else this.out.send(head);
    if (body instanceof ReadableStream) {
      if (hasContent) {
        this.#stream(body, framing, outcome);
        return;
      }
      dropReply(reply);
    } else if (hasContent && typeof body !== 'string') this.out.send(isContent(body) ? bytesOf(body) : body);
    outcome.sent(framing.closes);
  }

  /**
   * Sends the answer in one piece. Writes the content first, so that its length is known, and then the head in front of
   * it.
   */
  #sendWritten(reply: WrittenReply, body: string | ByteContent, closes: boolean): void {
    writer.at = maxWrittenHeadBytes;
    if (typeof body === 'string') writer.utf8(body);
    else body.writeTo(writer);
    const end = writer.at;
    writer.at = 0;
    writer.put(replyStart(reply.status, this.dateLine()));
    reply.writeLines(writer);
    if (closes) writer.put(closeLine);
    writer.put(lengthName);
    writer.number(end - maxWrittenHeadBytes);
    writer.put(headEnd);
    const start = maxWrittenHeadBytes - writer.at;
    writer.bytes.copyWithin(start, 0, writer.at);
    this.out.sendRange(writer.bytes, start, end);
  }

  /** Calls `then` when the system has accepted everything; at once if it already has. */
  whenEmpty(then: () => void): void {
    if (this.out.isEmpty) then();
    else this.#whenEmpty = then;
  }

  /** The socket has room for more. */
  drain(): void {
    this.out.flush();
    if (!this.out.isEmpty) return;
    const then = this.#whenEmpty;
    this.#whenEmpty = undefined;
    then?.();
  }

  /** The connection is gone. */
  broken(): void {
    const breakOff = this.#breakOff;
    this.#breakOff = undefined;
    breakOff?.();
    const then = this.#whenEmpty;
    this.#whenEmpty = undefined;
    if (breakOff !== undefined) then?.();
  }

  #stream(body: ReadableStream<Uint8Array>, framing: ReplyFraming, outcome: ReplyOutcome): void {
    pumpReply(body, framing.content === 'chunked', {
      send: (bytes) => this.out.send(bytes),
      whenEmpty: (then) => this.whenEmpty(then),
      onBroken: (breakOff) => {
        this.#breakOff = breakOff;
      },
      finished: () => {
        this.#breakOff = undefined;
        outcome.sent(framing.closes);
      },
      failed: (cause) => {
        this.#breakOff = undefined;
        outcome.failed(cause);
      },
    });
  }
}

/** Whether head and content fit into the writer; 256 bytes are for the status line, the date and the framing. */
function isShort(reply: WrittenReply, body: string | ByteContent): boolean {
  const max = typeof body === 'string' ? maxWrittenChars : maxWrittenBytes;
  return body.length <= max && reply.maxLineBytes + 256 <= maxWrittenHeadBytes;
}

/** Releases the body of an answer that is not sent. */
export function dropReply({ body, takeOver }: OutgoingReply): void {
  takeOver?.abandon();
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
}

function framingOf(reply: OutgoingReply, { minor, closes }: Answered): ReplyFraming {
  const { status, body } = reply;
  const isOld = minor === 0;
  if (body instanceof ReadableStream) {
    const content = reply.headers['Content-Length'] !== undefined ? 'none' : isOld ? 'until-close' : 'chunked';
    const closesNow = closes || content === 'until-close';
    return { content, closes: closesNow, saysKeepAlive: isOld && !closesNow };
  }
  return { content: lengthOf(status, body), closes, saysKeepAlive: isOld && !closes };
}

/** An answer that must not have content has no `Content-Length` either (RFC 9110 8.6). */
function lengthOf(status: number, body: string | Uint8Array | ByteContent | null): number | 'none' {
  if (body === null) return status === 204 || status === 304 ? 'none' : 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

type ReplySink = {
  readonly send: (bytes: string | Uint8Array) => void;
  /** Calls `then` once everything was passed to the system, or when the connection is gone. One listener at a time. */
  readonly whenEmpty: (then: () => void) => void;
  readonly onBroken: (breakOff: () => void) => void;
  readonly finished: () => void;
  readonly failed: (cause: unknown) => void;
};

/**
 * Sends a streamed answer piece by piece as its caller fetches it, chunked if the caller understands that. Calls
 * `finished` or `failed` once, and neither when the connection broke.
 */
function pumpReply(stream: ReadableStream<Uint8Array>, isChunked: boolean, sink: ReplySink): void {
  const reader = stream.getReader();
  let isBroken = false;
  sink.onBroken(() => {
    isBroken = true;
    reader.cancel().catch(() => {});
  });
  const pump = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (isBroken) return;
      if (done) break;
      if (value.length === 0) continue;
      if (isChunked) sink.send(`${value.length.toString(16)}\r\n`);
      sink.send(value);
      if (isChunked) sink.send('\r\n');
      await new Promise<void>((resolve) => sink.whenEmpty(resolve));
      if (isBroken) return;
    }
    if (isChunked) sink.send('0\r\n\r\n');
    sink.finished();
  };
  pump().catch((cause: unknown) => {
    if (!isBroken) sink.failed(cause);
  });
}
