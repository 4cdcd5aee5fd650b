/** A request as it is handed on, by the server or by a tool of agents, and the answer that is taken back. */

/** Valid until its answer has left. */
export type IncomingRequest = {
  readonly method: string;
  /** Path and query as they came; `*` for OPTIONS. */
  readonly target: string;
  /** A field's value without the white space around it, null when there is none; a doubled one is joined with a comma and a blank. `name` in small letters. */
  readonly header: (name: string) => string | null;
  /** Each field, names in small letters. */
  readonly eachHeader: (listen: (name: string, value: string) => void) => void;
  readonly body: RequestBody;
  /** The address at the other end of its connection. */
  readonly peer: string;
  /** Aborted when the connection breaks before the answer has left. */
  readonly signal: AbortSignal;
  /** Its answer is over: what its caller does not fetch in a few seconds is thrown away, and the connection with it. */
  readonly letGo: () => void;
};

/** A request's content as it arrives. */
export type RequestBody = {
  /** Bytes that the head announced: 0 when there are none, infinite when they come in chunks. */
  readonly announced: number;
  /** All of it when it has come; without a promise, for the hot path. Undefined when it has to be waited for with `next`. */
  readonly takeWhole: () => Uint8Array | undefined;
  /** What has come since the last one, undefined at the end. Rejects when the connection broke or what came is malformed. One at a time. */
  readonly next: () => Promise<Uint8Array | undefined>;
  /** Nobody fetches the rest: what comes of it is thrown away. */
  readonly discard: () => void;
};

export type ReplyBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** An answer. The server adds date, length or coding, and what becomes of the connection. */
export type OutgoingReply = {
  readonly status: number;
  /** Visible ASCII and blanks only. `Connection: close` closes the connection after the answer; `Content-Length` belongs to a stream alone. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
};
