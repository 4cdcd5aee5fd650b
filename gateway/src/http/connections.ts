/** The connections that requests come over: what an answer may ask of the one that it leaves by. */

/** Each takes a request as the runtime handed it over, as long as that is being answered. */
export type Connections = {
  /** The address at its other end; empty once it is closed. */
  readonly peerOf: (request: Request) => string;
  /** It stays open however long its caller sends nothing: for an answer that goes on. It is not to be used again afterwards. */
  readonly keepOpen: (request: Request) => void;
  /** Its answer is over: what its caller does not fetch in a few seconds is thrown away, and the connection with it. */
  readonly letGo: (request: Request) => void;
  /** Its answer has left: the connection waits for its next request as ever. */
  readonly rest: (request: Request) => void;
};

/** The connection that one answer leaves by. Asks nothing of it when the answer stays in this process. */
export type AnswerConnection = {
  readonly keepOpen: () => void;
  readonly letGo: () => void;
  readonly rest: () => void;
};
