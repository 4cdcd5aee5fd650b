/** Parses one HTTP/1.1 response at a time from the pieces that a socket delivers; it has no reference to the socket. */

import { unmetered, type WorkMeter } from '@flowgate/async/turn-budget';
import type { BudgetedBuffer, NoRoom } from '@flowgate/bytes/budgeted-buffer';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';
import { ByteRange } from '@flowgate/bytes/byte-range';
import { isUtf8Range } from '@flowgate/bytes/utf8';
import { ChunkedDecoder } from './chunked-decoder.ts';
import { HeaderMap } from './header-map.ts';
import type { WholeAnswer } from './http1-call.ts';
import { findHeadEnd, parseHead, type ResponseHead, startsLikeHttp1 } from './http1-head.ts';
import { ResponseContent } from './response-content.ts';

export type ReadResult = 'more' | 'done' | 'malformed' | 'too-large' | NoRoom;

/** Bytes of all heads of one response together, interim ones included. */
const maxHeadBytes = 65_536;
const notYet = -1;
const wrong = -2;

const chunkedFaults = {
  malformed: 'bad chunked coding',
  'too-large': 'body over the limit',
  'too-many-chunks': 'too many chunks',
} as const;

/** `Buffer.prototype.slice` returns a view, which the next response would overwrite. */
const copyOf = Uint8Array.prototype.slice;
const nothing = new ByteRange(new Uint8Array(0), 0, 0);

/** Reused for all responses of its connection; call `reset` between them. */
export class ResponseReader {
  /** Valid after `done` and `too-large`. */
  status = 0;
  /** Valid after `done`: UTF-8, in bytes that nothing writes to again. */
  content = nothing;
  /** Set instead of `content` when the content is large and charged. Take it with `takeBuffered`; otherwise `reset` releases it. */
  isBuffered = false;
  /** Set instead of `content` when the response is read whole. */
  whole: WholeAnswer | undefined;
  /** After `done`: whether the response allows another request on the connection. */
  reusable = false;
  /** After `done`: the index in the piece after the response. The bytes from there on do not belong to it. After `more`: the index at which the share of the turn ended, or the piece's length. */
  usedTo = 0;
  /** Milliseconds of the server's `Keep-Alive: timeout`; undefined when absent. */
  keepAliveMs: number | undefined;
  /** After `done`: the value of `Retry-After`; undefined when absent. */
  retryAfter: string | undefined;
  /** After `malformed` or `too-large`: the problem, without a quotation of the response. */
  detail = '';

  #head: ResponseHead | undefined;
  /** A head in several pieces, with the content behind it. */
  readonly #headBytes = new ByteBuffer();
  #headStart = 0;
  /** No head ends before this index (less three bytes). The search stays linear when bytes arrive one at a time. */
  #searched = 0;
  #unusedBytes = 0;
  readonly #content: ResponseContent;
  #chunked: ChunkedDecoder;

  #maxBodyBytes: number;
  #headers: HeaderMap | undefined;

  /** Large content of responses that have an owner is charged to `budget`. */
  constructor(
    maxBodyBytes: number,
    budget?: ByteBudget,
    private readonly work: WorkMeter = unmetered,
  ) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#content = new ResponseContent(budget);
    this.#chunked = new ChunkedDecoder(maxBodyBytes, work);
  }

  /** The content, decoded. */
  get body(): string {
    return this.content.text();
  }

  /** The next response is read with its headers and undecoded bytes, content codings included. */
  readWhole(maxBodyBytes: number): void {
    this.#maxBodyBytes = maxBodyBytes;
    this.#chunked.maxBytes = maxBodyBytes;
    this.#headers = new HeaderMap();
  }

  /** The next response belongs to `owner`: large content is charged and arrives as bytes. */
  countFor(owner: string | undefined): void {
    this.#content.owner = owner;
  }

  /** The bytes of a response with `isBuffered`; the caller must release them. */
  takeBuffered(): BudgetedBuffer | undefined {
    return this.#content.takeBuffered();
  }

  reset(): void {
    this.#head = undefined;
    this.isBuffered = false;
    this.#headStart = 0;
    this.#searched = 0;
    this.content = nothing;
    this.whole = undefined;
    this.#headers = undefined;
    if (this.#headBytes.length > 0) this.#headBytes.clear();
    this.#content.clear();
  }

  /** Consumes a piece from index `from` on. `content` may be a range of it, so it must not be written to afterwards. After any result except `more`, call `reset` first. */
  push(piece: Uint8Array, from = 0): ReadResult {
    this.#unusedBytes = 0;
    const result = this.#push(piece, from);
    this.usedTo = piece.length - this.#unusedBytes;
    return result;
  }

  #push(piece: Uint8Array, from: number): ReadResult {
    if (this.#head !== undefined) return this.#readBody(this.#head, piece, from);
    const isFirst = this.#headBytes.length === 0;
    let bytes = piece;
    if (isFirst) this.#headStart = this.#searched = from;
    else {
      this.#headBytes.append(piece, from, piece.length);
      bytes = this.#headBytes.view();
    }
    const bodyStart = this.#readHeads(bytes, isFirst ? from : 0);
    if (bodyStart === wrong) return 'malformed';
    if (bodyStart !== notYet && this.#head !== undefined) {
      // The content may be a range of the gathered bytes, so the next response is gathered in others.
      if (!isFirst) this.#headBytes.take();
      return this.#readBody(this.#head, bytes, bodyStart);
    }
    if (isFirst && from < piece.length) {
      this.#headBytes.append(piece, from, piece.length);
      this.#headStart -= from;
      this.#searched -= from;
    }
    return 'more';
  }

  /** The server has closed its side, which completes only a body without a length. */
  end(): ReadResult {
    return this.#head?.body === 'until-close' ? this.#finishAppended() : 'more';
  }

  /** Skips interim responses (RFC 9110 15.2), the first of which begins at `first`. Returns the index at which the body of the final one begins. */
  #readHeads(bytes: Uint8Array, first: number): number {
    for (;;) {
      const start = this.#headStart;
      if (!startsLikeHttp1(bytes, start, bytes.length)) return this.#wrong('bad status line');
      const end = findHeadEnd(bytes, Math.max(start, this.#searched));
      if ((end === -1 ? bytes.length : end) - first > maxHeadBytes) return this.#wrong('head too large');
      if (end === -1) {
        this.#searched = Math.max(start, bytes.length - 3);
        return notYet;
      }
      this.work.spend(end - start);
      const headers = this.#headers;
      const head = headers === undefined ? parseHead(bytes, start, end) : headers.parse(bytes, start, end);
      if (typeof head === 'string') return this.#wrong(head);
      this.#headStart = end;
      if (head.status === 101) return this.#wrong('switched protocols unasked');
      if (head.status < 200) {
        if (!head.reusable) return this.#wrong('an interim response that ends the connection');
        continue;
      }
      this.#head = head;
      this.status = head.status;
      this.#chunked.reset();
      return end;
    }
  }

  #readBody(head: ResponseHead, bytes: Uint8Array, from: number): ReadResult {
    if (head.body === 'chunked') return this.#readChunked(bytes, from);
    const available = bytes.length - from;
    const wanted = head.body === 'until-close' ? Number.POSITIVE_INFINITY : head.body - this.#content.length;
    if (
      this.#content.length + Math.min(available, wanted) > this.#maxBodyBytes ||
      Number(head.body) > this.#maxBodyBytes
    ) {
      this.detail = 'body over the limit';
      return 'too-large';
    }
    if (wanted > available) {
      this.#content.append(bytes, from, bytes.length);
      return this.#content.noRoom ?? 'more';
    }
    this.reusable = head.reusable;
    this.#unusedBytes = available - wanted;
    if (this.#content.length === 0 && !this.#content.counts(wanted)) return this.#finish(bytes, from, from + wanted);
    this.#content.append(bytes, from, from + wanted);
    return this.#finishAppended();
  }

  #readChunked(bytes: Uint8Array, from: number): ReadResult {
    const end = this.#chunked.push(bytes, from, this.#content);
    if (this.#chunked.fault !== undefined) {
      this.detail = chunkedFaults[this.#chunked.fault];
      return this.#chunked.fault === 'too-large' ? 'too-large' : 'malformed';
    }
    this.#unusedBytes = bytes.length - end;
    if (!this.#chunked.done) return this.#content.noRoom ?? 'more';
    this.reusable = this.#head?.reusable === true;
    return this.#finishAppended();
  }

  #finishAppended(): ReadResult {
    if (this.#content.noRoom !== undefined) return this.#content.noRoom;
    if (!this.#content.isBuffered) {
      const bytes = this.#content.take();
      return this.#finish(bytes, 0, bytes.length);
    }
    this.#finishHead();
    this.isBuffered = true;
    return 'done';
  }

  #finishHead(): void {
    this.status = this.#head?.status ?? 0;
    this.keepAliveMs = this.#head?.keepAliveMs;
    this.retryAfter = this.#head?.retryAfter;
    if (this.#head?.body === 'until-close') this.reusable = false;
  }

  #finish(bytes: Uint8Array, from: number, end: number): ReadResult {
    this.#finishHead();
    if (this.#headers !== undefined) {
      this.whole = { headers: this.#headers.values, bytes: copyOf.call(bytes, from, end) };
      return 'done';
    }
    if (!isUtf8Range(bytes, from, end)) {
      this.detail = 'body is not UTF-8';
      return 'malformed';
    }
    this.content = new ByteRange(bytes, from, end);
    return 'done';
  }

  #wrong(detail: string): number {
    this.detail = detail;
    return wrong;
  }
}
