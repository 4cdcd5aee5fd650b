/**
 * A connection that no longer speaks HTTP because both sides agreed on another protocol (RFC 9110 7.8): what the server
 * hands over, which events it passes on, and what it queries.
 */

import type { ByteSocket } from './outgoing-bytes.ts';

/** The part of a socket that a connection needs. */
export type ConnectionSocket = ByteSocket & {
  /** Closes the socket after the written bytes. */
  readonly end: () => void;
  /** Closes the sending side; received bytes are still read. */
  readonly shutdown: () => void;
  /** Closes the socket at once. */
  readonly terminate: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly remoteAddress: string;
};

export type TakeOver = {
  /** Takes the connection over, after its answer with status 101 was written. Its request is valid until this returns. `nowMs`: the monotonic time, up to half a second old. */
  readonly begin: (socket: ConnectionSocket, nowMs: () => number) => TakenConnection;
  /** The connection broke before `begin` was called. */
  readonly abandon: () => void;
};

/** Counts as one of the server's connections until its socket is closed. */
export type TakenConnection = {
  /** Whether a request of the caller is in progress. */
  readonly isAnswering: boolean;
  /** The socket received bytes. They belong to this connection from then on. */
  readonly data: (piece: Buffer) => void;
  /** The caller has closed its sending side. */
  readonly end: () => void;
  /** The socket has room for more. */
  readonly drain: () => void;
  /** The socket is gone. */
  readonly closed: () => void;
  /** To be called about twice a second. */
  readonly check: (nowMs: number) => void;
  /** Closes the connection at once. */
  readonly terminate: () => void;
};
