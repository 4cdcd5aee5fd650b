/** A request as the server or an agent's tool passes it on, and the answer to it. */

import type { ByteContent } from '@flowgate/bytes/byte-content';
import type { TakeOver } from './taken-connection.ts';

/** Valid until its answer has been sent. */
export type IncomingRequest = {
  readonly method: string;
  /** Path and query as received; `*` for OPTIONS. */
  readonly target: string;
  /** A field's value without surrounding white space, null when absent; repeated fields are joined with a comma and a blank. `name` in lower case. */
  readonly header: (name: string) => string | null;
  /** Each field, with its name in lower case. */
  readonly eachHeader: (listen: (name: string, value: string) => void) => void;
  readonly body: RequestBody;
  /** The value of `Upgrade` where the caller may ask for another protocol: in HTTP/1.1, named by `Connection`, without content. Absent otherwise. */
  readonly upgrade?: string | undefined;
  /** The address of the connection's other end. */
  readonly peer: string;
  /** Aborted when the connection breaks before the answer has been sent. */
  readonly signal: AbortSignal;
  /**
   * No more of the answer is produced: if the caller does not fetch the rest within a few seconds, the connection is
   * closed.
   */
  readonly letGo: () => void;
};

/** A request's content as it arrives. */
export type RequestBody = {
  /** The bytes that the head announced: 0 for none, Infinity for a chunked body. */
  readonly announced: number;
  /** The whole body, if it has arrived; without a promise, for the hot path. Undefined when `next` has to be awaited. */
  readonly takeWhole: () => Uint8Array | undefined;
  /** The bytes since the last call, undefined at the end. Rejects when the connection broke or the body is malformed. One call at a time. */
  readonly next: () => Promise<Uint8Array | undefined>;
  /** Drops the rest as it arrives. */
  readonly discard: () => void;
};

export type ReplyBody = string | ByteContent | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** Whether the body is a `ByteContent`. */
export function isContent(body: ReplyBody): body is ByteContent {
  return typeof body === 'object' && body !== null && 'writeTo' in body;
}

/** An answer. The server adds the date and the framing, and decides whether the connection stays open. */
export type OutgoingReply = {
  readonly status: number;
  /** Visible ASCII and spaces only. `Connection: close` closes the connection after the answer; `Content-Length` is for streams only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /** The body is a stream without a foreseeable end: its reader has no minimum rate and no total time. */
  readonly isOpenEnded?: boolean | undefined;
  /** Only with status 101 and without content: takes the connection over. Exactly one of its functions is called. */
  readonly takeOver?: TakeOver | undefined;
};
