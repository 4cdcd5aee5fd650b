/**
 * Short messages between the gateways of one installation, delivered at most once. A gateway that may have missed one
 * is notified.
 */

export type PubSubPayload = Readonly<Record<string, string | number | boolean>>;

/** Engines pass `packages/testing/src/pub-sub-contract.ts`. */
export type PubSub = {
  /**
   * Sends to every other gateway that is listening. Never throws and never waits. A message that cannot be sent is
   * lost, and the other gateways are notified of the gap.
   */
  readonly publish: (topic: string, payload: PubSubPayload) => void;
  /**
   * Calls the handler for each message of another gateway, in that gateway's order. The payload is untrusted: check it.
   * The returned function ends it.
   */
  readonly subscribe: (topic: string, handler: (payload: unknown) => void) => () => void;
  /**
   * Calls the handler when messages may have been missed, before any later message: after each connection, and when
   * another gateway's numbering has a gap. The returned function ends it.
   */
  readonly onGap: (handler: () => void) => () => void;
};

/** The handlers of one gateway for topics and gaps, which all engines share. */
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
