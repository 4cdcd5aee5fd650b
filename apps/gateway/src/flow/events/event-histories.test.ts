/**
 * Checks that every counter equals the sum of what it counts, over random histories of all writing operations, concurrent over two connections, on a database that is sometimes
 * unavailable.
 */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import { createSqlOutboxStore } from '@flowgate/sql/coordination/sql-outbox-store';
import type { Database } from '@flowgate/sql/engine/database';
import { type Chance, chanceFrom } from '@flowgate/testing/seeded-chance';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { sessionRecord } from '../sessions/session-store.contract.ts';
import type { SessionRecord } from '../sessions/session-store.ts';
import { createSqlRetentionStore } from '../sessions/sql-retention-store.ts';
import { createSqlSessionStore } from '../sessions/sql-session-store.ts';
import type { FlowEventRecord } from './flow-event.ts';
import { webhookQueue } from './sql-event-store.ts';
import { createSqlSubscriptionStore } from './sql-subscription-store.ts';
import { subscriptionRecord } from './subscription-store.contract.ts';

const bounds = { appDataBytes: 3_000, appDataNames: 12, userBytes: 30_000 };
const rounds = 60;

/** A database on which one of twelve transactions is not executed, and the reply to another one is lost. */
function unreliable(database: Database, chance: Chance): Database {
  return {
    dialect: database.dialect,
    query: (text, values, options) => database.query(text, values, options),
    async transaction(statements, options) {
      const fault = chance(12);
      if (fault === 0) throw new Unavailable('database', 'unavailable');
      const answers = await database.transaction(statements, options);
      if (fault === 1) throw new Unavailable('database', 'unavailable');
      return answers;
    },
    ping: () => database.ping(),
    close: () => database.close(),
  };
}

const ofSession = 'octet_length(step) + octet_length(state) + COALESCE(octet_length(launch_context), 0)';
const ofResponse = 'octet_length(body) + octet_length(headers)';
const ofDatum = 'octet_length(name) + octet_length(value) + 4';
const sumOf = (size: string, table: string) =>
  `COALESCE((SELECT SUM(${size}) FROM ${table} AS counted WHERE counted.session_id = flow_sessions.session_id), 0)`;
const storedBytes = `${ofSession} + ${sumOf(ofResponse, 'flow_responses')} + ${sumOf('octet_length(data)', 'flow_events')}`;

/** Each counter with the query that computes its true value. */
const truths: readonly (readonly [counter: string, truth: string])[] = [
  ['SELECT session_id, kept_bytes FROM flow_sessions', `SELECT session_id, ${storedBytes} FROM flow_sessions`],
  [
    'SELECT session_id, last_sequence FROM flow_sessions',
    `SELECT session_id, (SELECT COUNT(*) FROM flow_events WHERE flow_events.session_id = flow_sessions.session_id) FROM flow_sessions`,
  ],
  [
    'SELECT user_id, bytes FROM flow_usage WHERE bytes <> 0',
    `SELECT user_id, SUM(bytes) FROM (SELECT user_id, ${storedBytes} AS bytes FROM flow_sessions
      UNION ALL SELECT user_id, ${ofDatum} FROM flow_app_data) AS kept GROUP BY user_id`,
  ],
  [
    'SELECT id, bytes, names FROM flow_app_data_usage WHERE bytes <> 0 OR names <> 0',
    `SELECT app_id || ' ' || user_id, SUM(${ofDatum}), COUNT(*) FROM flow_app_data GROUP BY app_id, user_id`,
  ],
  [
    'SELECT id, items, bytes FROM outbox_lanes',
    "SELECT queue || ':' || lane, COUNT(*), SUM(bytes) FROM outbox GROUP BY queue, lane",
  ],
];

onEveryEngine((_engine, open) => {
  let opened: OpenedEngine;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  const rowsOf = async (text: string) =>
    (await opened.database.query(text, [])).map((row) => Object.values(row).join(' ')).sort();

  test('counters equal what is stored after any history of concurrent, failed and repeated operations', async () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const chance = chanceFrom(seed);
    const ways = [opened.database, opened.other].map((database) => {
      const way = unreliable(database, chance);
      return {
        sessions: createSqlSessionStore(way),
        subscriptions: createSqlSubscriptionStore(way),
        retention: createSqlRetentionStore(way),
        outbox: createSqlOutboxStore(way, webhookQueue, 'one-at-a-time'),
      };
    });
    const one = <T>(list: readonly T[]) => list[chance(list.length)];
    const tried = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return undefined;
      }
    };
    const sessions: SessionRecord[] = [];
    const subscriptions: ReturnType<typeof subscriptionRecord>[] = [];
    const eventOf = (session: SessionRecord, type: string): FlowEventRecord => {
      const { sessionId, appId, version, lastSequence: sequence } = session;
      const data = { sessionId, appId, version, text: 'é'.repeat(chance(40)) };
      return { eventId: `evt_${sessionId}_${sequence}`, sessionId, sequence, type, atMs: 1, data };
    };
    const appData = () => ({
      set: Object.fromEntries(Array.from({ length: chance(4) }, () => [`n"${chance(15)}é`, 'ü'.repeat(chance(500))])),
      delete: Array.from({ length: chance(3) }, () => `n"${chance(15)}é`),
    });

    async function start(way: (typeof ways)[number], session: SessionRecord): Promise<void> {
      const response = { idempotencyKey: `k${chance(6)}`, body: 'b'.repeat(chance(50)), headers: {} };
      const transition = { session, appData: appData(), events: [eventOf(session, 'x')] };
      const keyed = chance(2) === 0 ? transition : { ...transition, response };
      const outcome = await tried(() => way.sessions.insert(keyed, { bounds }));
      if (outcome === 'started' || outcome === undefined) sessions.push(session);
    }

    async function step(way: (typeof ways)[number], { sessionId }: SessionRecord): Promise<void> {
      const attempt = await tried(() => way.sessions.acquire(sessionId, crypto.randomUUID(), 600_000));
      if (attempt?.kind !== 'acquired') return;
      const { launchContext, ...before } = attempt.snapshot.session;
      const [stateVersion, lastSequence] = [before.stateVersion + 1, before.lastSequence + 1];
      const ends = chance(5) === 0;
      const after: SessionRecord = ends
        ? { ...before, status: 'expired', state: {}, stateVersion, lastSequence }
        : {
            ...{ ...before, state: { text: 'z'.repeat(chance(500)) }, stateVersion, lastSequence },
            ...(launchContext === undefined ? {} : { launchContext }),
          };
      const events = [eventOf(after, ends ? 'session_expired' : 'x')];
      const response = { idempotencyKey: `k${stateVersion}`, body: '{"é":1}', headers: { A: 'b' } };
      const transition = ends
        ? { session: after, appData: { set: {}, delete: [] }, events }
        : { session: after, appData: appData(), events, response };
      const outcome = await tried(() => way.sessions.commit(attempt.lease, transition, ends ? undefined : bounds));
      if (outcome !== 'committed') await tried(() => way.sessions.release(attempt.lease));
    }

    async function deliver({ outbox }: (typeof ways)[number]): Promise<void> {
      for (const item of (await tried(() => outbox.leaseBatch(5, 1))) ?? [])
        await tried<unknown>(() => (chance(3) === 0 ? outbox.fail(item, 0) : outbox.complete(item)));
    }

    async function something(): Promise<void> {
      const way = one(ways);
      if (way === undefined) return;
      const owner = { userId: one(['alice', 'bob']) ?? '', appId: one(['acme/app', 'acme/other']) ?? '' };
      const [what, session, subscription] = [chance(20), one(sessions), one(subscriptions)];
      if (what < 2) {
        const fresh = subscriptionRecord({ ...owner, eventType: one(['x', 'session_expired']) ?? '' });
        subscriptions.push(fresh);
        await tried(() => way.subscriptions.insertIfUnder(fresh, 6));
      } else if (what < 4 && subscription !== undefined) {
        const { userId, appId, subscriptionId } = subscription;
        await tried<unknown>(() =>
          what === 2
            ? way.subscriptions.remove(userId, appId, subscriptionId)
            : way.subscriptions.disable(subscription, 'gone'),
        );
      } else if (what < 7) await deliver(way);
      else if (what < 8) {
        await tried(() => way.retention.removeEnded(2 ** 40, 3));
        await tried(() => way.retention.clearRemains());
      } else if (what < 11 || session === undefined)
        await start(way, sessionRecord({ ...owner, launchContext: { a: 'é'.repeat(chance(90)) } }));
      else await step(way, session);
    }

    for (let round = 1; round <= rounds; round++) {
      await Promise.all(Array.from({ length: 1 + chance(6) }, something));
      if (round % 20 > 0) continue;
      for (const [counter, truth] of truths)
        expect({ seed, counter, is: await rowsOf(counter) }).toEqual({ seed, counter, is: await rowsOf(truth) });
    }
  });
});
