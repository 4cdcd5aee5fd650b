/** The interface between a WebSocket connection and the code that answers its messages. */

import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import type { ByteContent } from '@flowgate/bytes/byte-content';

/**
 * The maximum number of calls in flight on one connection. While there are as many, no further message begins
 * (contract/websocket#messages).
 */
export const maxCallsInFlight = 100;

/** A message that arrived whole. */
export type SocketMessage = { readonly bytes: Uint8Array; readonly isBinary: boolean };

/** Sent as one message. `large` is sent from its source, which is released in every outcome. */
export type SocketAnswer =
  | { readonly kind: 'content'; readonly content: ByteContent }
  | { readonly kind: 'large'; readonly source: ChunkSource };

/** Answers the messages of one connection. */
export type MessageServer = {
  /** Calls `report` once with the answer, or with undefined when there is nothing to send. Does not throw. */
  readonly serve: (message: SocketMessage, report: (answer: SocketAnswer | undefined) => void) => void;
  /** How many calls are in progress. */
  readonly callsInFlight: () => number;
  /** The connection is over: nothing more is sent. */
  readonly ended: () => void;
};
