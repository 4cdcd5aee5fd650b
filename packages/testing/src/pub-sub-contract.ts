/** The guarantees of `packages/async/src/pub-sub.ts` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { PubSub } from '@flowgate/async/pub-sub';

export type OpenedPubSub = {
  /** Two gateways that have discovered each other. */
  readonly first: PubSub;
  readonly second: PubSub;
  /** Makes `second` miss the messages that are published while `meanwhile` runs, then reconnects it. */
  readonly cutSecondOff: (meanwhile: () => void) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function pubSubContract(engine: string, open: () => Promise<OpenedPubSub>): void {
  describe(`pub/sub over ${engine}`, () => {
    let opened: OpenedPubSub;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    /** Publishes a last message, and resolves with the messages that `second` has received by its arrival. */
    const heardUntilLast = (publish: () => void): Promise<unknown[]> => {
      const { first, second } = opened;
      const heard: unknown[] = [];
      const done = Promise.withResolvers<unknown[]>();
      second.subscribe('topic', (payload) => heard.push(payload));
      second.subscribe('last', () => done.resolve(heard));
      publish();
      first.publish('last', {});
      return done.promise;
    };

    test('a message reaches the other gateway once, in order, unchanged', async () => {
      const payloads = Array.from({ length: 200 }, (_, at) => ({ at, text: `"ü\n${at}`, yes: at % 2 === 0 }));
      const heard = await heardUntilLast(() => {
        for (const payload of payloads) opened.first.publish('topic', payload);
      });
      expect(heard).toEqual(payloads);
    });

    test('a gateway does not receive its own messages, nor other topics, nor any after its subscription ended', async () => {
      const own: unknown[] = [];
      opened.first.subscribe('topic', (payload) => own.push(payload));
      const stopped: unknown[] = [];
      opened.second.subscribe('topic', (payload) => stopped.push(payload))();
      const heard = await heardUntilLast(() => {
        opened.first.publish('elsewhere', {});
        opened.first.publish('topic', { at: 1 });
      });
      expect(heard).toEqual([{ at: 1 }]);
      expect(own).toEqual([]);
      expect(stopped).toEqual([]);
    });

    test('without a loss there is no gap', async () => {
      let gaps = 0;
      opened.second.onGap(() => {
        gaps += 1;
      });
      await heardUntilLast(() => opened.first.publish('topic', {}));
      expect(gaps).toBe(0);
    });

    test('a gateway that missed messages is notified before it receives the next one', async () => {
      const order: string[] = [];
      opened.second.onGap(() => order.push('gap'));
      opened.second.subscribe('topic', () => order.push('message'));
      await opened.cutSecondOff(() => opened.first.publish('topic', { missed: true }));
      await heardUntilLast(() => opened.first.publish('topic', {}));
      expect(order[0]).toBe('gap');
      expect(order.filter((entry) => entry === 'message')).toHaveLength(1);
    });
  });
}
