/** Between a WebSocket connection and whoever answers its messages. */

import type { ChunkSource } from '@flowgate/bytes/buffered-parts';
import type { ByteContent } from '@flowgate/bytes/byte-content';

/** The calls of one connection that are in progress: while there are as many, no further message begins (contract/websocket#messages). */
export const maxCallsInFlight = 100;

/** A message that arrived whole. */
export type SocketMessage = { readonly bytes: Uint8Array; readonly isBinary: boolean };

/** Sent as one message; `large` from its source, which is released in any case. */
export type SocketAnswer =
  | { readonly kind: 'content'; readonly content: ByteContent }
  | { readonly kind: 'large'; readonly source: ChunkSource };

/** Who answers the messages of one connection. */
export type MessageServer = {
  /** Answers by `told`, once: undefined when there is nothing to send. Does not throw. */
  readonly serve: (message: SocketMessage, reported: (answer: SocketAnswer | undefined) => void) => void;
  /** How many calls are in progress. */
  readonly callsInFlight: () => number;
  /** The connection is over: nothing more is sent. */
  readonly ended: () => void;
};
