/** The guarantees of `flow/events/event-store.ts`, and of the transaction that writes events, as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { LeasedItem, OutboxStore } from '@flowgate/sql/coordination/outbox-store';
import { type EventStore, type FlowEventRecord, webhookQueue } from './event-store.ts';
import { flowEventView } from './event-wire.ts';

export type OpenedEvents = {
  readonly store: EventStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: EventStore;
  /** Writes events of a session of this user and app, as a transition does. `failing` makes the transaction fail afterwards. */
  readonly write: (
    session: { readonly userId: string; readonly appId: string },
    events: readonly FlowEventRecord[],
    failing?: boolean,
  ) => Promise<void>;
  readonly subscribe: (subscription: Subscribed) => Promise<void>;
  readonly outbox: (queue: string) => OutboxStore;
  readonly close: () => Promise<void>;
};

export type Subscribed = {
  readonly subscriptionId: string;
  readonly userId: string;
  readonly appId: string;
  readonly eventType: string;
  readonly status: 'active' | 'disabled';
};

const atMs = 1_800_000_000_000;
const alice = { userId: 'alice', appId: 'acme/shop' };

export function flowEvent(sequence: number, more: Partial<FlowEventRecord> = {}): FlowEventRecord {
  const sessionId = more.sessionId ?? 'ses_1';
  return {
    eventId: `evt_${sessionId}_${sequence}`,
    sessionId,
    sequence,
    type: 'step_submitted',
    atMs: atMs + sequence,
    data: { sessionId, appId: 'acme/shop', version: '1.0.0', stateVersion: sequence },
    ...more,
  };
}

const whole = (events: readonly FlowEventRecord[]) => ({ events, hasMore: false });

export function eventStoreContract(engine: string, open: () => Promise<OpenedEvents>): void {
  describe(`event store on ${engine}`, () => {
    let opened: OpenedEvents;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    const subscribe = (subscriptionId: string, more: Partial<Subscribed> = {}) =>
      opened.subscribe({ ...alice, subscriptionId, eventType: 'step_submitted', status: 'active', ...more });
    const deliveries = () => opened.outbox(webhookQueue).leaseBatch(100, 600_000);
    const targets = (items: readonly LeasedItem[]) =>
      items.map(({ partitionKey = '' }) => subscriptionOf(partitionKey)).sort();

    test('events after a sequence are returned completely, in ascending order, up to the limit', async () => {
      const odd = { note: 'Ünïcödé 🔑 \' " \\ \u0000 \ud800', nested: [{ a: null }] };
      const events = [1, 2, 3, 4].map((sequence) => flowEvent(sequence));
      const strange = flowEvent(5, { data: { appId: 'acme/shop', version: '1.0.0', ...odd } });
      await opened.write(alice, [...events, strange].slice(0, 3));
      await opened.write(alice, [...events, strange].slice(3).reverse());
      await opened.write(alice, [flowEvent(1, { sessionId: 'ses_2' })]);
      for (const store of [opened.store, opened.other]) {
        expect(await store.eventsAfter('ses_1', 0, 100)).toEqual(whole([...events, strange]));
        expect(await store.eventsAfter('ses_1', 0, 5)).toEqual(whole([...events, strange]));
        expect(await store.eventsAfter('ses_1', 1, 2)).toEqual({ events: events.slice(1, 3), hasMore: true });
        expect(await store.eventsAfter('ses_1', 5, 100)).toEqual(whole([]));
        expect(await store.eventsAfter('ses_3', 0, 100)).toEqual(whole([]));
      }
    });

    test('a read ends with the event that takes it beyond 1 MiB, regardless of the limit', async () => {
      const large = (sequence: number, size: number) =>
        flowEvent(sequence, { data: { appId: 'acme/shop', version: '1.0.0', text: 'é'.repeat(size / 2) } });
      const events = [large(1, 600_000), large(2, 600_000), large(3, 1_500_000), flowEvent(4)];
      for (const event of events) await opened.write(alice, [event]);
      const read = (after: number) => opened.store.eventsAfter('ses_1', after, 100);
      expect(await read(0)).toEqual({ events: events.slice(0, 2), hasMore: true });
      expect(await read(2)).toEqual({ events: events.slice(2, 3), hasMore: true });
      expect(await read(3)).toEqual(whole(events.slice(3)));
    });

    test('the newest sequence of each of many sessions is found', async () => {
      await opened.write(alice, [flowEvent(1), flowEvent(2), flowEvent(3)]);
      await opened.write(alice, [flowEvent(1, { sessionId: 'ses_2' })]);
      const asked = ['ses_1', ...Array.from({ length: 450 }, (_, at) => `ses_none_${at}`), 'ses_2'];
      expect(await opened.store.lastSequences(asked)).toEqual(
        new Map([
          ['ses_1', 3],
          ['ses_2', 1],
        ]),
      );
      expect(await opened.store.lastSequences([])).toEqual(new Map());
    });

    test('events and their deliveries exist exactly if the transition was committed', async () => {
      await subscribe('sub_1');
      const [failed] = await Promise.allSettled([opened.write(alice, [flowEvent(1)], true)]);
      expect(failed.status).toBe('rejected');
      expect(await opened.store.eventsAfter('ses_1', 0, 100)).toEqual(whole([]));
      expect(await deliveries()).toEqual([]);
      await opened.write(alice, [flowEvent(1)]);
      await opened.write(alice, [flowEvent(1)]);
      expect(await opened.store.eventsAfter('ses_1', 0, 100)).toEqual(whole([flowEvent(1)]));
      expect(await deliveries()).toHaveLength(1);
    });

    test('an event goes to each active subscription of its own user, app and type, and to no other (contract/events)', async () => {
      await subscribe('sub_1');
      await subscribe('sub_2');
      await subscribe('sub_other_type', { eventType: 'session_created' });
      await subscribe('sub_disabled', { status: 'disabled' });
      await subscribe('sub_other_user', { userId: 'bob' });
      await subscribe('sub_other_app', { appId: 'acme/other' });
      const event = flowEvent(1, { data: { appId: 'acme/shop', version: '1.0.0', note: 'ü \u0000 \ud800 "' } });
      await opened.write(alice, [event]);
      const items = await deliveries();
      expect(targets(items)).toEqual(['sub_1', 'sub_2']);
      const { id, type, timestamp, data } = flowEventView(event);
      for (const { payload } of items)
        expect(await opened.other.webhookBody(payload)).toBe(JSON.stringify({ id, type, timestamp, data }));
      // All deliveries of a user have one owner, so that no user gets more than a share of the capacity.
      const [[owner = ''] = [], ...others] = items.map((each) => [each.owner]);
      expect(owner).toMatch(/^[A-Za-z0-9_-]{22}$/);
      for (const each of others) expect(each).toEqual([owner]);
      // The previous release reads the owner and the subscription at these positions of the key.
      for (const { partitionKey = '' } of items)
        expect([partitionKey.slice(0, 22), partitionKey.slice(23)]).toEqual([owner, subscriptionOf(partitionKey)]);
    });

    test('the body of an event is the same text each time, byte for byte; a removed event has none', async () => {
      const data = {
        appId: 'acme/shop',
        version: '1.0.0',
        '2': 1e21,
        '1': -0,
        nested: { b: [null], a: 'ü \u0000 \ud800 "' },
      };
      const event = flowEvent(1, { type: 'ü"\\', data });
      await opened.write(alice, [event]);
      const { id, type, timestamp } = flowEventView(event);
      for (const store of [opened.store, opened.other, opened.store])
        expect(await store.webhookBody(event.eventId)).toBe(JSON.stringify({ id, type, timestamp, data }));
      expect(await opened.store.webhookBody('evt_none')).toBeUndefined();
    });

    test('a large event with twenty subscriptions is stored once', async () => {
      for (let nth = 0; nth < 20; nth++) await subscribe(`sub_${nth}`);
      const text = 'x'.repeat(1_000_000);
      await opened.write(alice, [flowEvent(1, { data: { appId: 'acme/shop', version: '1.0.0', text } })]);
      const items = await deliveries();
      expect(items).toHaveLength(20);
      for (const { payload } of items) expect(payload.length).toBeLessThan(100);
    });

    test('a hundred events with twenty subscriptions become two thousand deliveries, in order for each endpoint', async () => {
      for (let nth = 0; nth < 20; nth++) await subscribe(`sub_${nth}`);
      await opened.write(
        alice,
        Array.from({ length: 100 }, (_, at) => flowEvent(at + 1)),
      );
      const items = await opened.outbox(webhookQueue).leaseBatch(3_000, 600_000);
      expect(items).toHaveLength(2_000);
      for (let nth = 0; nth < 20; nth++)
        expect(
          items
            .filter(({ partitionKey = '' }) => subscriptionOf(partitionKey) === `sub_${nth}`)
            .map(({ payload }) => payload),
        ).toEqual(Array.from({ length: 100 }, (_, at) => `evt_ses_1_${at + 1}`));
    });

    test('each event of a transition is delivered, in the order of its sequence', async () => {
      await subscribe('sub_1');
      await subscribe('sub_2', { eventType: 'session_completed' });
      const events = Array.from({ length: 12 }, (_, at) =>
        flowEvent(at + 1, {
          eventId: `evt_${String(99 - at)}`,
          type: at === 11 ? 'session_completed' : 'step_submitted',
        }),
      );
      await opened.write(alice, events);
      const items = await deliveries();
      const bodies = items
        .filter(({ partitionKey = '' }) => subscriptionOf(partitionKey) === 'sub_1')
        .map(({ payload }) => payload);
      expect(bodies).toEqual(events.slice(0, 11).map(({ eventId }) => eventId));
      expect(items.filter(({ partitionKey = '' }) => subscriptionOf(partitionKey) === 'sub_2')).toHaveLength(1);
    });

    test('a transition without events or without subscriptions enqueues nothing', async () => {
      await opened.write(alice, []);
      await opened.write(alice, [flowEvent(1)]);
      expect(await deliveries()).toEqual([]);
    });
  });
}

function subscriptionOf(partitionKey: string): string {
  return partitionKey.split(' ').at(-1) ?? '';
}
