import { afterEach, beforeEach, expect, test } from 'bun:test';
import { partitionId } from '@flowgate/sql/coordination/outbox-statements';
import { createSqlOutboxStore } from '@flowgate/sql/coordination/sql-outbox-store';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { until } from '@flowgate/testing/until';
import { haltingDatabase, isHalted } from '../../../test/fixtures/halting-database.ts';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { sessionRecord } from '../sessions/session-store.contract.ts';
import type { SessionRecord } from '../sessions/session-store.ts';
import { createSqlSessionStore } from '../sessions/sql-session-store.ts';
import type { FlowEventRecord } from './flow-event.ts';
import { createSqlEventStore, webhookQueue } from './sql-event-store.ts';
import { createSqlSubscriptionStore } from './sql-subscription-store.ts';
import { waitingBounds } from './sql-waiting-deliveries.ts';
import { subscriptionRecord } from './subscription-store.contract.ts';
import { webhookPartition } from './webhook-partition.ts';

const appId = 'acme/app';

onEveryEngine((engine, open) => {
  let opened: OpenedEngine;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());
  const uses = () => {
    const { database, other } = opened;
    const [sessions, events] = [createSqlSessionStore(database), createSqlEventStore(database)];
    return {
      sessions,
      events,
      subscriptions: createSqlSubscriptionStore(other),
      outbox: createSqlOutboxStore(other, webhookQueue, 'one-at-a-time'),
      log: async (sessionId: string) => (await events.eventsAfter(sessionId, 0, 1_000)).events,
      /** The counter of each subscription as `items bytes`, and the pending deliveries. */
      async waiting(userId = 'alice') {
        const counted = await database.query('SELECT id, items, bytes FROM outbox_lanes ORDER BY id', []);
        const there = await database.query(
          'SELECT lane, COUNT(*) AS items, SUM(bytes) AS bytes FROM outbox GROUP BY lane ORDER BY lane',
          [],
        );
        const prefix = webhookPartition(userId, '');
        const shown = (id: string, items: number, bytes: number) => `${id.replace(prefix, '')} ${items} ${bytes}`;
        return {
          counted: counted
            .map((row) =>
              shown(textOf(row, 'id').slice(webhookQueue.length + 1), integerOf(row, 'items'), integerOf(row, 'bytes')),
            )
            .filter((text) => !text.endsWith(' 0 0')),
          there: there.map((row) => shown(textOf(row, 'lane'), integerOf(row, 'items'), integerOf(row, 'bytes'))),
        };
      },
      /** Sets the counters as if this many deliveries were pending. */
      fill: (subscriptionId: string, items: number, bytes: number, userId = 'alice') =>
        database.transaction([
          {
            text: `INSERT INTO outbox_lanes (id, items, bytes) VALUES (?, ?, ?)
              ON CONFLICT (id) DO UPDATE SET items = excluded.items, bytes = excluded.bytes`,
            values: [partitionId(webhookQueue, webhookPartition(userId, subscriptionId)), items, bytes],
          },
        ]),
      async step(before: SessionRecord, types: readonly string[], text = '', commit = sessions.commit) {
        const attempt = await sessions.acquire(before.sessionId, crypto.randomUUID(), 600_000);
        if (attempt.kind !== 'acquired') throw new Error('not acquired');
        const { session } = attempt.snapshot;
        const { sessionId, version } = session;
        const stateVersion = session.stateVersion + 1;
        const happened = types.map(
          (type, at): FlowEventRecord => ({
            eventId: `evt_${sessionId}_${session.lastSequence + at + 1}`,
            sessionId,
            sequence: session.lastSequence + at + 1,
            type,
            atMs: 1_000 + stateVersion,
            data: { sessionId, appId, version, stateVersion, text },
          }),
        );
        const after = { ...session, stateVersion, lastSequence: session.lastSequence + types.length };
        const transition = { session: after, appData: { set: {}, delete: [] }, events: happened };
        expect(await commit(attempt.lease, transition)).toBe('committed');
        const [one] = happened;
        return Buffer.byteLength(JSON.stringify(one?.data));
      },
    };
  };
  const begin = async () => {
    const session = sessionRecord({ lastSequence: 0 });
    await uses().sessions.insert({ session, appData: { set: {}, delete: [] }, events: [] });
    return session;
  };

  test('pending deliveries are counted when they are enqueued, delivered and dropped', async () => {
    const { subscriptions, step, waiting, outbox } = uses();
    const [a, b] = [subscriptionRecord({ appId }), subscriptionRecord({ appId, eventType: 'shipped' })];
    for (const each of [a, b]) await subscriptions.insertIfUnder(each, 20);
    const session = await begin();
    const bytes = await step(session, ['step_submitted', 'shipped', 'shipped']);
    expect((await waiting()).counted).toEqual([`${a.subscriptionId} 1 ${bytes}`, `${b.subscriptionId} 2 ${2 * bytes}`]);
    const items = await outbox.leaseBatch(10, 60_000);
    expect(items).toHaveLength(2);
    // A completion that is repeated, also concurrently, is counted once.
    for (const item of items) await Promise.all([outbox.complete(item), outbox.complete(item)]);
    expect(await waiting()).toEqual({
      counted: [`${b.subscriptionId} 1 ${bytes}`],
      there: [`${b.subscriptionId} 1 ${bytes}`],
    });
    await subscriptions.remove('alice', appId, b.subscriptionId);
    expect(await waiting()).toEqual({ counted: [], there: [] });
  });

  test('a delivery that both gateways complete repeatedly and concurrently is counted once, without an error', async () => {
    const { subscriptions, step, waiting, outbox } = uses();
    const elsewhere = createSqlOutboxStore(opened.database, webhookQueue, 'one-at-a-time');
    await subscriptions.insertIfUnder(subscriptionRecord({ appId }), 20);
    let session = await begin();
    for (let round = 0; round < 15; round++) {
      await step(session, ['step_submitted', 'shipped']);
      session = { ...session, stateVersion: session.stateVersion + 1, lastSequence: session.lastSequence + 2 };
      const [item] = await outbox.leaseBatch(10, 60_000);
      if (item === undefined) throw new Error('no delivery is due');
      const said = Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? outbox : elsewhere).complete(item));
      expect((await Promise.all(said)).filter(Boolean)).toHaveLength(1);
      expect(await waiting()).toEqual({ counted: [], there: [] });
    }
  });

  // SQLite has one writer at a time.
  if (engine === 'PostgreSQL')
    test('subscribing, unsubscribing and disabling during a commit take effect before or after it: counters are exact, and no event is missed', async () => {
      const { subscriptions, step, waiting } = uses();
      const [present, coming] = [subscriptionRecord({ appId }), subscriptionRecord({ appId })];
      const changes = {
        subscribe: () => subscriptions.insertIfUnder(coming, 20),
        unsubscribe: () => subscriptions.remove('alice', appId, present.subscriptionId),
        'give up': () => subscriptions.disable(present, 'gone'),
      };
      const isOver = "EXISTS (SELECT 1 FROM leases WHERE name = 'over')";
      const isWaitedFor = `EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
      for (const [name, change] of Object.entries(changes))
        for (let at = 0; at < 10; at++) {
          const clear = ['outbox', 'outbox_lanes', 'flow_subscriptions', 'leases', 'flow_sessions'];
          await opened.database.transaction(clear.map((each) => ({ text: `DELETE FROM ${each}`, values: [] })));
          const isAlone = name === 'subscribe';
          if (!isAlone) await subscriptions.insertIfUnder(present, 20);
          const session = await begin();
          const halted = createSqlSessionStore(haltingDatabase(opened.database, at, `${isOver} OR ${isWaitedFor}`));
          const unseen = { subscriptions: isAlone, secretMarks: false };
          const stepped = step(session, ['step_submitted'], '', (lease, transition) =>
            halted.commit(lease, transition, undefined, unseen),
          );
          await until('the commit is waiting', () => isHalted(opened.other));
          await change();
          // The change was made before the commit's remaining statements.
          const isBefore = await isHalted(opened.other);
          const over = "INSERT INTO leases (name, holder, token, expires_at) VALUES ('over', NULL, 1, 0)";
          await opened.other.transaction([{ text: over, values: [] }]);
          await stepped;
          const { counted, there } = await waiting();
          expect([name, at, counted]).toEqual([name, at, there]);
          // Events that are committed after the subscription was acknowledged are delivered to it.
          expect([name, at, there.length]).toEqual([name, at, isAlone && isBefore ? 1 : 0]);
        }
    });

  for (const [what, items, bytes] of [
    ['10,000 deliveries', waitingBounds.items - 1, 0],
    ['64 MiB of deliveries', 5, waitingBounds.bytes - 400],
  ] as const)
    test(`${what} disable a subscription, and no other; an event of the session reports it, without a gap (contract/events#webhooks)`, async () => {
      const { subscriptions, step, fill, log, sessions, waiting } = uses();
      const [crowded, fine] = [subscriptionRecord({ appId }), subscriptionRecord({ appId })];
      for (const each of [crowded, fine]) await subscriptions.insertIfUnder(each, 20);
      await fill(crowded.subscriptionId, items, bytes);
      const session = await begin();
      // Exactly at the limit nothing is disabled.
      const eventBytes = await step(session, ['step_submitted']);
      expect((await subscriptions.find(crowded.subscriptionId))?.status).toBe('active');
      await step(session, ['step_submitted', 'other'], 'x'.repeat(300));
      expect(await subscriptions.find(crowded.subscriptionId)).toMatchObject({
        status: 'disabled',
        disabledReason: expect.stringContaining('10000 deliveries or 67108864 bytes'),
        disabledAtMs: 1_003,
      });
      expect((await subscriptions.find(fine.subscriptionId))?.status).toBe('active');
      const found = await log(session.sessionId);
      expect(found.map(({ sequence, type }) => `${sequence} ${type}`)).toEqual([
        '1 step_submitted',
        '2 step_submitted',
        '3 other',
        '4 subscription_disabled',
      ]);
      const { subscriptionId } = crowded;
      expect(found[3]?.data).toMatchObject({
        sessionId: session.sessionId,
        appId,
        version: '1.0.0',
        stateVersion: 3,
        subscriptionId,
      });
      // Nothing more is enqueued for the subscription, and the session's events continue after it.
      await step(session, ['step_submitted']);
      expect((await log(session.sessionId)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
      expect((await sessions.find('alice', session.sessionId))?.session.lastSequence).toBe(5);
      expect((await waiting()).there.find((text) => text.startsWith(fine.subscriptionId))).toStartWith(
        `${fine.subscriptionId} 3 `,
      );
      expect(eventBytes).toBeGreaterThan(0);
      // Pending deliveries are dropped after the reply.
      await until('pending deliveries are dropped', async () => (await waiting()).there.length <= 1);
      // The user's counter equals what is stored.
      const [row] = await opened.database.query(
        `SELECT (SELECT bytes FROM flow_usage) - (SELECT SUM(octet_length(step) + octet_length(state) + octet_length(launch_context)) FROM flow_sessions)
          - (SELECT SUM(octet_length(data)) FROM flow_events) AS difference`,
        [],
      );
      expect(row === undefined ? undefined : integerOf(row, 'difference')).toBe(0);
    });

  test('the pending deliveries of all subscriptions of a user are limited, and another user’s do not count', async () => {
    const { subscriptions, step, fill } = uses();
    const of = (userId: string) => Array.from({ length: 8 }, () => subscriptionRecord({ userId, appId: 'acme/other' }));
    const [mine, bobs] = [of('alice'), of('bob')];
    for (const each of [...mine, ...bobs]) await subscriptions.insertIfUnder(each, 20);
    for (const { subscriptionId } of mine.slice(0, 6)) await fill(subscriptionId, 8_000, 0);
    for (const { subscriptionId } of bobs) await fill(subscriptionId, 9_000, 0, 'bob');
    const last = subscriptionRecord({ appId });
    await subscriptions.insertIfUnder(last, 20);
    const session = await begin();
    await step(session, ['step_submitted']);
    expect((await subscriptions.find(last.subscriptionId))?.status).toBe('active');
    await fill(mine[6]?.subscriptionId ?? '', 1_999, 0);
    await step(session, ['step_submitted']);
    expect((await subscriptions.find(last.subscriptionId))?.status).toBe('disabled');
  });

  test('the number of a user’s subscriptions over all apps is limited', async () => {
    const { subscriptions } = uses();
    const outcomes = [];
    for (let at = 0; at < 4; at++)
      outcomes.push(await subscriptions.insertIfUnder(subscriptionRecord({ appId: `acme/app${at}` }), 20, 3));
    expect(outcomes).toEqual([true, true, true, false]);
    expect(await subscriptions.insertIfUnder(subscriptionRecord({ userId: 'bob' }), 20, 3)).toBe(true);
  });
});
