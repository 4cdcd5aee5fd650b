/** The handlers of one node for topics and gaps: the part of pub/sub that all engines share. */

import type { PubSub } from './pub-sub.ts';

export type TopicHandlers = Pick<PubSub, 'subscribe' | 'onGap'> & {
  /** Calls the handlers of the topic. */
  readonly deliver: (topic: string, payload: unknown) => void;
  /** Calls the handlers of gaps: messages may have been missed. */
  readonly tellGap: () => void;
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
    tellGap() {
      for (const handler of gapHandlers) handler();
    },
  };
}
