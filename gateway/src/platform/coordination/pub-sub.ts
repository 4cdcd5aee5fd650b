/** Short messages between the nodes of one installation: delivered at most once. A node that may have missed one is told so. */

export type PubSubPayload = Readonly<Record<string, string | number | boolean>>;

/** Engines pass `test/contracts/pub-sub-contract.ts`. */
export type PubSub = {
  /** Sends to every other node that is listening. Never throws and never waits; what cannot be sent is lost, and the others learn of the gap. */
  readonly publish: (topic: string, payload: PubSubPayload) => void;
  /** Calls the handler for each message of another node, in that node's order. The payload comes from outside: check it. The returned function ends it. */
  readonly subscribe: (topic: string, handler: (payload: unknown) => void) => () => void;
  /**
   * Calls the handler when messages may have been missed, before any later message: after each connection, and when another node's numbering skips. The returned
   * function ends it.
   */
  readonly onGap: (handler: () => void) => () => void;
};
