/** What the HTTP server hands on, and what it wants back: a request whose head is valid, and one answer. */

import type { HeadFault } from './head-fault.ts';
import type { IncomingBody } from './incoming-body.ts';

/** Valid until its answer has left. */
export type IncomingRequest = {
  readonly method: string;
  /** In origin form, or `*`; empty for CONNECT. */
  readonly target: string;
  /** A field's value as Latin-1 without the white space around it, null when there is none; a doubled one is joined with a comma and a blank. `name` in small letters. */
  readonly header: (name: string) => string | null;
  /** Each field as it came, names in small letters. */
  readonly eachHeader: (listen: (name: string, value: string) => void) => void;
  readonly body: IncomingBody;
  /** The address that the connection comes from. */
  readonly peer: string;
  /** Called when the connection breaks before the answer has left. One listener. */
  readonly onBroken: (listen: () => void) => void;
};

/** An answer. The server adds date, length or coding, and what becomes of the connection. */
export type OutgoingReply = {
  readonly status: number;
  /** Visible ASCII and blanks only. `Connection: close` closes the connection after the answer; `Content-Length` belongs to a stream alone. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
};

export type RequestHandler = {
  /** A rejection is a bug: it ends the connection with an empty 500. */
  readonly handle: (request: IncomingRequest) => OutgoingReply | Promise<OutgoingReply>;
  /** The answer to what is no request, or did not come in time (408). `target` as far as it was read, else empty. The connection closes afterwards. */
  readonly refuse: (
    fault: HeadFault | { readonly status: 408; readonly detail: string },
    target: string,
  ) => OutgoingReply;
};
