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
  /** The answer is over: if the caller does not fetch the rest within a few seconds, it is dropped, with the connection. */
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
  /** The rest is not needed: it is dropped as it arrives. */
  readonly discard: () => void;
};

export type ReplyBody = string | ByteContent | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** Whether it is content that is written where it is sent from. */
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
  /** With status 101 only, and without content: what the connection belongs to from then on. Exactly one of its functions is called. */
  readonly takeOver?: TakeOver | undefined;
};
