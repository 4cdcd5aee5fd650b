/** A JSON-RPC answer that the server writes as bytes directly, without building a record of headers first. */

import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import type { OutgoingReply, ReplyBody } from './incoming-request.ts';

/** The limit of a caller as its answers report it. */
export type ReportedLimit = {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in milliseconds. */
  readonly resetAtMs: number;
};

const requestIdName = Buffer.from('X-Request-Id: ');
const remainingName = Buffer.from('\r\nX-RateLimit-Remaining: ');
const resetName = Buffer.from('\r\nX-RateLimit-Reset: ');
const lineEnd = Buffer.from('\r\n');

/** Usually the one configured limit. */
let limitLine = { limit: -1, bytes: lineEnd };

function limitLineOf(limit: number): Uint8Array {
  if (limitLine.limit !== limit) limitLine = { limit, bytes: Buffer.from(`X-RateLimit-Limit: ${limit}`) };
  return limitLine.bytes;
}

export class WrittenReply implements OutgoingReply {
  readonly isOpenEnded = false;

  constructor(
    readonly status: number,
    private readonly requestId: string,
    private readonly admission: ReportedLimit | undefined,
    /** Header lines, each with its line end, in ASCII, without `Connection`. */
    private readonly lines: string,
    readonly body: ReplyBody,
    /** The connection closes after the answer. */
    readonly closes: boolean,
  ) {}

  /** The maximum number of bytes that `writeLines` writes. */
  get maxLineBytes(): number {
    return this.requestId.length + this.lines.length + 160;
  }

  writeLines(writer: ByteWriter): void {
    const { admission, lines } = this;
    writer.put(requestIdName);
    writer.ascii(this.requestId);
    writer.put(lineEnd);
    if (admission !== undefined) {
      writer.put(limitLineOf(admission.limit));
      writer.put(remainingName);
      writer.number(admission.remaining);
      writer.put(resetName);
      writer.number(Math.ceil(admission.resetAtMs / 1000));
      writer.put(lineEnd);
    }
    writer.ascii(lines);
  }

  /** For code that reads single headers: streams, and the tools of agents. */
  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = { 'X-Request-Id': this.requestId, ...limitHeaders(this.admission) };
    for (const line of this.lines.split('\r\n')) {
      const colon = line.indexOf(': ');
      if (colon > 0) headers[line.slice(0, colon)] = line.slice(colon + 2);
    }
    if (this.closes) headers['Connection'] = 'close';
    return headers;
  }
}

/** The limits as every answer's headers report them (contract/limits#headers). */
export function limitHeaders(admission: ReportedLimit | undefined): Readonly<Record<string, string>> {
  if (admission === undefined) return {};
  return {
    'X-RateLimit-Limit': String(admission.limit),
    'X-RateLimit-Remaining': String(admission.remaining),
    'X-RateLimit-Reset': String(Math.ceil(admission.resetAtMs / 1000)),
  };
}

/** Whether the connection closes after the answer, according to its headers. */
export function closesConnection(reply: OutgoingReply): boolean {
  return reply instanceof WrittenReply ? reply.closes : reply.headers['Connection'] === 'close';
}
