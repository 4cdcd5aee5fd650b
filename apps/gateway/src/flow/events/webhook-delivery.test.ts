import { afterEach, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { createSafeFetch, type SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import type { OutboxStore } from '@flowgate/sql/coordination/outbox-store';
import { createSqlOutboxStore } from '@flowgate/sql/coordination/sql-outbox-store';
import { createEncryptionAtRest } from '@flowgate/sql/encryption-at-rest';
import type { Database } from '@flowgate/sql/engine/database';
import { quietLog } from '@flowgate/testing/quiet-log';
import { until } from '@flowgate/testing/until';
import { Webhook } from 'standardwebhooks';
import { openAddress } from '../../../test/fixtures/open-address.ts';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/fixtures/webhook-receiver.ts';
import { moveData } from '../../storage/move-data.ts';
import { flowEvent } from './event-store.contract.ts';
import { createPostWebhook, type PostWebhook } from './post-webhook.ts';
import { createSqlEventStore, eventStatements, webhookQueue } from './sql-event-store.ts';
import { createSqlSubscriptionStore } from './sql-subscription-store.ts';
import { subscriptionRecord } from './subscription-store.contract.ts';
import type { SubscriptionRecord } from './subscription-store.ts';
import { createWebhookDelivery, type WebhookDelivery } from './webhook-delivery.ts';
import { webhookSecretContext } from './webhook-secret-context.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const alice = { userId: 'alice', appId: 'acme/shop' };

onEveryEngine((_engine, open) => {
  let opened: OpenedEngine;
  let receiver: WebhookReceiver;
  let fetches: SafeFetch;
  let running: WebhookDelivery[];
  const encryption = createEncryptionAtRest(['a pepper of the test'], randomBytes);

  beforeEach(async () => {
    opened = await open();
    receiver = startWebhookReceiver({ isChecked: false });
    fetches = createSafeFetch({
      allowPrivateHosts: ['127.0.0.1'],
      timerWheel: createTimerWheel(systemClock),
      clock: systemClock,
      turns: new TurnBudget(systemClock),
    });
    running = [];
  });
  afterEach(async () => {
    await receiver.stop();
    await Promise.all(running.map((each) => each.close()));
    fetches.close();
    await opened.close();
  });

  const post: PostWebhook = (...message) =>
    createPostWebhook({ request: fetches.request, encryption, clock: systemClock })(...message);
  const outboxOf = (database: Database) => createSqlOutboxStore(database, webhookQueue, 'one-at-a-time');
  const deliver = (
    more: {
      readonly database?: Database;
      readonly outbox?: OutboxStore;
      readonly concurrency?: number;
      readonly post?: PostWebhook;
    } = {},
  ) => {
    const { database = opened.database, ...options } = more;
    const delivery = createWebhookDelivery({
      outbox: outboxOf(database),
      events: createSqlEventStore(database),
      subscriptions: createSqlSubscriptionStore(database),
      post,
      chance: () => 0.5,
      log: quietLog(),
      // Short, so that a test does not wait for the default interval.
      pollMs: 20,
      ...options,
    });
    running.push(delivery);
    delivery.start();
    return delivery;
  };
  const subscriptions = () => createSqlSubscriptionStore(opened.database);
  const subscribe = async (path: string, more: Partial<SubscriptionRecord> = {}) => {
    const bare = subscriptionRecord(more);
    const sealedSecret = encryption.seal(secret, webhookSecretContext(bare.subscriptionId));
    const record = { ...bare, sealedSecret, targetUrl: `${receiver.url}${path}` };
    await subscriptions().insertIfUnder(record, 1_000);
    return record;
  };
  const happen = async (sequence: number, more: Parameters<typeof flowEvent>[1] = {}, session = alice) => {
    const event = flowEvent(sequence, more);
    await opened.database.transaction(eventStatements(opened.database, session, [event]));
    return event;
  };
  const waiting = async () => (await opened.other.query('SELECT id FROM outbox', [])).length;
  const emptied = () => until('no delivery is pending', async () => (await waiting()) === 0);

  test("the receiver verifies a delivery with the standardwebhooks library, and finds the event's id in webhook-id (contract/events#webhooks)", async () => {
    await subscribe('/a');
    const event = await happen(1);
    deliver();
    const [got] = await receiver.received(1);
    expect(new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {})).toEqual({
      id: event.eventId,
      type: event.type,
      timestamp: new Date(event.atMs).toISOString(),
      data: event.data,
    });
    expect(got?.headers).toMatchObject({ 'webhook-id': event.eventId, 'content-type': 'application/json' });
    await emptied();
    expect(receiver.all()).toHaveLength(1);
  });

  test('a failing endpoint gets the same message with a new signature until it accepts', async () => {
    await subscribe('/a');
    let left = 3;
    receiver.answer(() => {
      left -= 1;
      return new Response('no', { status: left > 0 ? 500 : 204 });
    });
    const event = await happen(1);
    const delivery = deliver();
    for (let attempt = 1; attempt < 3; attempt++) {
      await receiver.received(attempt);
      await due(opened);
      await opened.advance(600_000);
      delivery.wake();
    }
    const all = await receiver.received(3);
    for (const { body, headers } of all) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: event.eventId });
      expect(body).toBe(all[0]?.body ?? '');
    }
    await emptied();
  });

  test('status 200 means delivered, regardless of the size and encoding of the body (contract/bounds#sizes: a webhook response)', async () => {
    await subscribe('/large');
    await subscribe('/garbage');
    const coded = { headers: { 'Content-Encoding': 'gzip' } };
    receiver.answer(({ path }) => (path === '/large' ? new Response('x'.repeat(300_000)) : new Response('no', coded)));
    await happen(1);
    deliver();
    await emptied();
    expect(receiver.all()).toHaveLength(2);
  });

  test('410 disables the subscription at once, and its other deliveries are dropped', async () => {
    const { subscriptionId } = await subscribe('/a');
    receiver.answer(() => new Response(null, { status: 410 }));
    for (const sequence of [1, 2, 3]) await happen(sequence);
    deliver();
    await emptied();
    expect(receiver.all()).toHaveLength(1);
    expect(await subscriptions().find(subscriptionId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'The endpoint answered 410 Gone.',
    });
    await happen(4);
    expect(await waiting()).toBe(0);
  });

  test('after the last attempt the subscription is disabled with a reason without an address, and the delivery is dropped', async () => {
    const { subscriptionId } = await subscribe('/a');
    receiver.answer(() => new Response('secret words', { status: 302, headers: { Location: receiver.url } }));
    await happen(1);
    const delivery = deliver();
    for (let attempt = 1; attempt <= 10; attempt++) {
      await receiver.received(attempt);
      await due(opened);
      await opened.advance(36_000_000);
      delivery.wake();
    }
    await emptied();
    expect(receiver.all()).toHaveLength(11);
    expect((await subscriptions().find(subscriptionId))?.disabledReason).toBe(
      'A delivery failed 11 times over about a day; at last: status 302.',
    );
  });

  test('a gateway that crashes repeatedly before sending disables no subscription and loses no delivery', async () => {
    const { subscriptionId } = await subscribe('/a');
    await happen(1);
    const dying = createSqlOutboxStore(opened.other, webhookQueue, 'one-at-a-time');
    for (let death = 0; death < 15; death++) {
      expect(await dying.leaseBatch(1, 20_000)).toHaveLength(1);
      await opened.advance(20_000);
    }
    let left = 1;
    receiver.answer(() => new Response(null, { status: left-- > 0 ? 503 : 204 }));
    const delivery = deliver();
    await receiver.received(1);
    await due(opened);
    expect(await subscriptions().find(subscriptionId)).toMatchObject({ status: 'active' });
    // The pause follows from the item's age; it is not the last pause of the table.
    await opened.advance(15 * 60_000);
    delivery.wake();
    await receiver.received(2);
    await emptied();
  });

  test('a delivery that the gateway cannot send does not block the other deliveries to its endpoint', async () => {
    await subscribe('/a');
    const { eventId: faulty } = await happen(1);
    await happen(2);
    deliver({
      post: (subscription, message) =>
        message.eventId === faulty ? Promise.reject(new Error('an internal error')) : post(subscription, message),
    });
    const [got] = await receiver.received(1);
    expect(JSON.parse(got?.body ?? '')).toMatchObject({ data: { stateVersion: 2 } });
    await until('one delivery is pending', async () => (await waiting()) <= 1);
    await due(opened);
  });

  test('a removed or disabled subscription gets none of its pending deliveries', async () => {
    const [removed, disabled, active] = [await subscribe('/r'), await subscribe('/d'), await subscribe('/k')];
    await happen(1);
    const text = "UPDATE flow_subscriptions SET status = 'disabled' WHERE subscription_id = ?";
    await opened.database.transaction([
      { text, values: [disabled.subscriptionId] },
      { text: 'DELETE FROM flow_subscriptions WHERE subscription_id = ?', values: [removed.subscriptionId] },
    ]);
    deliver();
    await emptied();
    expect(receiver.all().map(({ path }) => path)).toEqual(['/k']);
    expect(await subscriptions().find(active.subscriptionId)).toMatchObject({ status: 'active' });
  });

  test('an endpoint that hangs delays no other endpoint, and gets one delivery at a time (contract/events#webhooks)', async () => {
    await subscribe('/slow');
    await subscribe('/fast');
    const letGo = Promise.withResolvers<void>();
    receiver.answer(async ({ path }) => {
      if (path === '/slow') await letGo.promise;
      return new Response();
    });
    for (let sequence = 1; sequence <= 5; sequence++) await happen(sequence);
    deliver();
    const fast = () => receiver.all().filter(({ path }) => path === '/fast');
    await until(() => fast().length >= 5);
    expect(receiver.all().filter(({ path }) => path === '/slow')).toHaveLength(1);
    expect(fast().map(({ body }) => JSON.parse(body).data.stateVersion)).toEqual([1, 2, 3, 4, 5]);
    letGo.resolve();
    await emptied();
    expect(receiver.all()).toHaveLength(10);
  });

  test("a user whose endpoints all hang uses only a share of the capacity, and delays no other user's deliveries", async () => {
    const letGo = Promise.withResolvers<void>();
    await Promise.all(Array.from({ length: 70 }, (_, at) => subscribe(`/alice/${at}`)));
    await subscribe('/bob', { userId: 'bob' });
    receiver.answer(async ({ path }) => {
      if (path !== '/bob') await letGo.promise;
      return new Response();
    });
    await happen(1);
    deliver();
    await receiver.received(8);
    for (let sequence = 1; sequence <= 3; sequence++) {
      await happen(sequence, { sessionId: 'ses_2' }, { ...alice, userId: 'bob' });
      await receiver.received(8 + sequence);
    }
    expect(receiver.all().filter(({ path }) => path === '/bob')).toHaveLength(3);
    const leases = async (where: string) =>
      (await opened.other.query(`SELECT id FROM outbox WHERE ${where}`, [])).length;
    await until('the other deliveries are released', async () => (await leases('claim > 0')) <= 8);
    // Each lease counts as an attempt, so an item that was put back for lack of capacity must not lose one.
    expect(await leases('claim = 0')).toBe(62);
    letGo.resolve();
    await emptied();
    expect(receiver.all()).toHaveLength(73);
  });

  test('a removed event is not delivered, and blocks no other delivery', async () => {
    await subscribe('/a');
    const { eventId } = await happen(1);
    await opened.database.transaction([{ text: 'DELETE FROM flow_events WHERE id = ?', values: [eventId] }]);
    await happen(2);
    deliver();
    await emptied();
    expect(receiver.all().map(({ body }) => JSON.parse(body).data.stateVersion)).toEqual([2]);
  });

  test('pending deliveries are delivered byte for byte from the database that they were copied to', async () => {
    await subscribe('/a');
    const odd = { note: 'ü \u0000 \ud800 "', '2': 1e21, '1': [null] };
    const events = [1, 2, 3].map((sequence) => flowEvent(sequence, { data: { ...alice, version: '1.0.0', ...odd } }));
    await opened.database.transaction(eventStatements(opened.database, alice, events));
    const directory = mkdtempSync(join(tmpdir(), 'flowgate-moved-'));
    const target = await openAddress(`sqlite:${join(directory, 'flowgate.db')}`);
    await moveData(opened.database, target);
    await opened.database.transaction([{ text: 'DELETE FROM outbox', values: [] }]);
    deliver({ database: target });
    const bodies = (await receiver.received(3)).map(({ body }) => body);
    expect(bodies).toEqual(
      events.map(({ eventId, type, atMs, data }) =>
        JSON.stringify({ id: eventId, type, timestamp: new Date(atMs).toISOString(), data }),
      ),
    );
    await running[0]?.close();
    await target.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test('two gateways share the deliveries: each is made once, and one at a time for each endpoint', async () => {
    await Promise.all(Array.from({ length: 4 }, (_, at) => subscribe(`/${at}`)));
    const open = new Map<string, number>();
    let max = 0;
    receiver.answer(async ({ path }) => {
      const now = (open.get(path) ?? 0) + 1;
      open.set(path, now);
      max = Math.max(max, now);
      // Real time: a second delivery could begin in this moment.
      await Bun.sleep(1);
      open.set(path, now - 1);
      return new Response();
    });
    for (let sequence = 1; sequence <= 15; sequence++) await happen(sequence);
    deliver();
    deliver({ database: opened.other, concurrency: 3 });
    await emptied();
    const seen = receiver.all().map(({ path, headers }) => `${path} ${headers['webhook-id']}`);
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
    expect(max).toBe(1);
  });

  test("a user gets no events of another user's sessions (contract/events#webhooks)", async () => {
    await subscribe('/alice');
    await subscribe('/bob', { userId: 'bob' });
    await happen(1);
    await happen(1, { sessionId: 'ses_2' }, { ...alice, userId: 'bob' });
    deliver();
    await emptied();
    const seen = receiver.all().map(({ path, body }) => [path, JSON.parse(body).data.sessionId]);
    expect(seen.sort()).toEqual([
      ['/alice', 'ses_1'],
      ['/bob', 'ses_2'],
    ]);
  });

  test('close waits for the delivery in progress, and acquires no further leases', async () => {
    await subscribe('/a');
    const letGo = Promise.withResolvers<void>();
    receiver.answer(async () => {
      await letGo.promise;
      return new Response();
    });
    await happen(1);
    await happen(2);
    const delivery = deliver();
    await receiver.received(1);
    const closed = delivery.close();
    letGo.resolve();
    await closed;
    expect(await waiting()).toBe(1);
    expect(receiver.all()).toHaveLength(1);
  });

  test('deliveries leased by a poll that was in progress at close are released at once, and not delivered', async () => {
    await subscribe('/a');
    await happen(1);
    const inner = outboxOf(opened.database);
    const leased = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const outbox: OutboxStore = {
      ...inner,
      async leaseBatch(...asked) {
        const items = await inner.leaseBatch(...asked);
        leased.resolve();
        await letGo.promise;
        return items;
      },
    };
    const delivery = deliver({ outbox });
    await leased.promise;
    const closed = delivery.close();
    letGo.resolve();
    await closed;
    expect(receiver.all()).toHaveLength(0);
    expect(await outboxOf(opened.other).leaseBatch(10, 1_000)).toHaveLength(1);
  });
});

/** Resolves when the failed attempt was stored and the item waits for its retry. */
function due({ other }: OpenedEngine): Promise<void> {
  const leased = () => other.query('SELECT id FROM outbox WHERE claimed_until IS NOT NULL', []);
  return until('no delivery is leased', async () => (await leased()).length === 0);
}
