/** Short messages between the nodes of one installation: at most once, and a node that may have missed one is told. */

export type PubSubPayload = Readonly<Record<string, string | number | boolean>>;

/** Engines pass `test/contracts/pub-sub-contract.ts`. */
export type PubSub = {
  /** Sends to every other node that listens now. Never throws, never waits; what cannot be sent is lost, and the others learn of the gap. */
  readonly publish: (topic: string, payload: PubSubPayload) => void;
  /** Called for each message of another node, in the order in which that node published. The payload comes from outside: check it. The result ends it. */
  readonly subscribe: (topic: string, handler: (payload: unknown) => void) => () => void;
  /** Called when messages may have been missed, before any later message: after each connection, and when another node's numbering skips. The result ends it. */
  readonly onGap: (handler: () => void) => () => void;
};
