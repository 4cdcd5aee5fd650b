/** The guarantees of `flow/events/subscription-store.ts` as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { SubscriptionRecord, SubscriptionStore } from './subscription-store.ts';

export type OpenedSubscriptions = {
  readonly store: SubscriptionStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: SubscriptionStore;
  /** Writes an event of this type in a session of this user and app. */
  readonly happen: (userId: string, appId: string, type: string) => Promise<void>;
  /** The subscriptions that have a pending delivery, leased ones included. */
  readonly waiting: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

const appId = 'acme/shop';
let made = 0;

export function subscriptionRecord(more: Partial<SubscriptionRecord> = {}): SubscriptionRecord {
  made += 1;
  return {
    subscriptionId: `sub_${String(made).padStart(26, '0')}`,
    userId: 'alice',
    appId,
    eventType: 'step_submitted',
    targetUrl: 'https://hooks.example/a?b=c',
    sealedSecret: 'sealed',
    status: 'active',
    createdAtMs: 1_800_000_000_000 + made,
    ...more,
  };
}

export function subscriptionStoreContract(engine: string, open: () => Promise<OpenedSubscriptions>): void {
  describe(`subscription store on ${engine}`, () => {
    let opened: OpenedSubscriptions;
    let store: SubscriptionStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());
    const insert = async (more: Partial<SubscriptionRecord> = {}, limit = 1_000) => {
      const record = subscriptionRecord(more);
      return { record, stored: await store.insertIfUnder(record, limit) };
    };
    const idsOf = (records: readonly SubscriptionRecord[]) => records.map(({ subscriptionId }) => subscriptionId);

    test('an inserted subscription is found completely, also over another connection', async () => {
      for (const more of [{}, { status: 'disabled', disabledReason: 'Ünïcödé \' " ; --', disabledAtMs: 7 } as const]) {
        const { record, stored } = await insert(more);
        expect(stored).toBe(true);
        for (const each of [store, opened.other]) expect(await each.find(record.subscriptionId)).toEqual(record);
      }
      expect(await store.find('sub_none')).toBeUndefined();
    });

    test('twenty concurrent insertions by two processes under a limit of five insert five; other users and apps have their own limit', async () => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? store : opened.other).insertIfUnder(subscriptionRecord(), 5),
        ),
      );
      expect(results.filter(Boolean)).toHaveLength(5);
      expect((await store.list('alice', appId, { limit: 100 })).records).toHaveLength(5);
      expect((await insert({ userId: 'bob' }, 5)).stored).toBe(true);
      expect((await insert({ appId: 'acme/other' }, 5)).stored).toBe(true);
      expect((await insert({}, 5)).stored).toBe(false);
    });

    test('a disabled subscription counts towards the limit, a removed one does not', async () => {
      const { record } = await insert({ status: 'disabled' });
      expect((await insert({}, 1)).stored).toBe(false);
      expect(await store.remove('alice', appId, record.subscriptionId)).toBe(true);
      expect((await insert({}, 1)).stored).toBe(true);
    });

    test("pages list the user's own subscriptions to the app newest first, each once", async () => {
      const mine: string[] = [];
      for (let at = 0; at < 5; at++) mine.unshift((await insert()).record.subscriptionId);
      await insert({ userId: 'bob' });
      await insert({ appId: 'acme/other' });
      const seen: string[] = [];
      let page = await store.list('alice', appId, { limit: 2 });
      for (;;) {
        seen.push(...idsOf(page.records));
        if (page.next === undefined) break;
        page = await store.list('alice', appId, { limit: 2, after: page.next });
      }
      expect(seen).toEqual(mine);
    });

    test("only the user's own subscription to the app can be removed, and only once", async () => {
      const { record } = await insert();
      const { subscriptionId } = record;
      expect(await store.remove('bob', appId, subscriptionId)).toBe(false);
      expect(await store.remove('alice', 'acme/other', subscriptionId)).toBe(false);
      expect(await store.remove('alice', appId, 'sub_none')).toBe(false);
      expect(await store.find(subscriptionId)).toEqual(record);
      expect(await store.remove('alice', appId, subscriptionId)).toBe(true);
      expect(await store.remove('alice', appId, subscriptionId)).toBe(false);
      expect(await store.find(subscriptionId)).toBeUndefined();
    });

    test('disabling again does not replace the first reason; disabling an unknown subscription changes nothing', async () => {
      const { record } = await insert();
      await store.disable(record, 'gone');
      await store.disable(record, 'again');
      await store.disable({ userId: 'alice', subscriptionId: 'sub_none' }, 'gone');
      expect(await store.find(record.subscriptionId)).toEqual({
        ...record,
        status: 'disabled',
        disabledReason: 'gone',
        disabledAtMs: expect.any(Number),
      });
    });

    for (const end of ['remove', 'disable'] as const)
      test(`${end}: pending deliveries are dropped, no further ones are enqueued, and other subscriptions are not affected`, async () => {
        const [{ record: ended }, { record: other }] = [await insert(), await insert()];
        await opened.happen('alice', appId, 'step_submitted');
        await opened.happen('alice', appId, 'step_submitted');
        if (end === 'remove') await store.remove('alice', appId, ended.subscriptionId);
        else await store.disable(ended, 'gone');
        await opened.happen('alice', appId, 'step_submitted');
        expect(await opened.waiting()).toEqual(Array(3).fill(other.subscriptionId));
      });
  });
}
