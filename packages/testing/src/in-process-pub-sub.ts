/** Pub/sub among gateways of one test process: messages are delivered at once, over connections that tests can cut. */

import type { PubSub } from '@flowgate/async/pub-sub';
import { createTopicHandlers } from '@flowgate/async/pub-sub';

export type InProcessPubSub = PubSub & {
  /** Until `reconnect`, this gateway neither receives nor sends. */
  readonly disconnect: () => void;
  readonly reconnect: () => void;
};

export function createInProcessPubSub(): () => InProcessPubSub {
  const nodes = new Set<(topic: string, payload: unknown) => void>();
  return () => {
    const handlers = createTopicHandlers();
    const receive = (topic: string, payload: unknown) => handlers.deliver(topic, structuredClone(payload));
    nodes.add(receive);
    return {
      publish(topic, payload) {
        if (!nodes.has(receive)) return;
        for (const other of nodes) if (other !== receive) other(topic, payload);
      },
      subscribe: handlers.subscribe,
      onGap: handlers.onGap,
      disconnect: () => nodes.delete(receive),
      reconnect() {
        nodes.add(receive);
        handlers.reportGap();
      },
    };
  };
}
