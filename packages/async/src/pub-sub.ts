/** Short messages between the nodes of one installation, delivered at most once; a node that may have missed one is notified. */

export type PubSubPayload = Readonly<Record<string, string | number | boolean>>;

/** Engines pass `packages/testing/src/pub-sub-contract.ts`. */
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

/** The handlers of one node for topics and gaps, which all engines share. */
export type TopicHandlers = Pick<PubSub, 'subscribe' | 'onGap'> & {
  /** Calls the handlers of the topic. */
  readonly deliver: (topic: string, payload: unknown) => void;
  /** Calls the handlers of gaps: messages may have been missed. */
  readonly reportGap: () => void;
};

export function createTopicHandlers(): TopicHandlers {
  const handlers = new Map<string, Set<(payload: unknown) => void>>();
  const gapHandlers = new Set<() => void>();
  return {
    subscribe(topic, handler) {
      const listening = handlers.get(topic) ?? new Set();
      handlers.set(topic, listening.add(handler));
      return () => listening.delete(handler);
    },
    onGap(handler) {
      gapHandlers.add(handler);
      return () => gapHandlers.delete(handler);
    },
    deliver(topic, payload) {
      for (const handler of handlers.get(topic) ?? []) handler(payload);
    },
    reportGap() {
      for (const handler of gapHandlers) handler();
    },
  };
}
