import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import { until } from '@flowgate/testing/until';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { createSqlEventStore } from '../events/sql-event-store.ts';
import { sessionRecord, sessionStoreContract } from './session-store.contract.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

onEveryEngine((engine, open) => {
  sessionStoreContract(engine, async () => {
    const { database, other, advance, close } = await open();
    const events = createSqlEventStore(database);
    return {
      store: createSqlSessionStore(database),
      other: createSqlSessionStore(other),
      events: async (sessionId) =>
        (await events.eventsAfter(sessionId, 0, 1_000)).events.map(({ sequence, type }) => `${sequence} ${type}`),
      leases: async () => (await database.query('SELECT name FROM leases', [])).length,
      advance,
      close,
    };
  });

  let opened: OpenedEngine;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  test("a transition that cannot be written completely writes nothing and does not change the session's lease", async () => {
    const { database } = opened;
    const store = createSqlSessionStore(database);
    const [session, taken] = [sessionRecord(), sessionRecord()];
    const event = { eventId: 'evt_1', sequence: 1, type: 'session_created', atMs: 1 };
    const data = { appId: session.appId, version: session.version };
    await store.insert({
      session,
      appData: { set: {}, delete: [] },
      events: [{ ...event, sessionId: session.sessionId, data }],
    });
    await store.insert({ session: taken, appData: { set: {}, delete: [] }, events: [] });
    const attempt = await store.acquire(session.sessionId, 'a', 600_000);
    if (attempt.kind !== 'acquired') throw new Error('not acquired');
    const [failed] = await Promise.allSettled([
      store.commit(attempt.lease, {
        session: { ...session, stateVersion: 2, lastSequence: 2 },
        appData: { set: { a: 1 }, delete: [] },
        response: { idempotencyKey: 'k', body: '{}', headers: {} },
        // The sequence already exists, so the last statement fails.
        events: [{ ...event, eventId: 'evt_2', sessionId: session.sessionId, data }],
      }),
    ]);
    expect(failed.status).toBe('rejected');
    expect(await store.find('alice', session.sessionId, 'k')).toEqual({ session, isLeased: true });
    expect((await store.appData('alice', session.appId)).members).toEqual({});
  });

  test('an attempt at a lease that ended in Unavailable does not retain the session, whether it was executed or not', async () => {
    const { database } = opened;
    const store = createSqlSessionStore(database);
    const session = sessionRecord();
    await store.insert({ session, appData: { set: {}, delete: [] }, events: [] });
    // The deadline passes before the engine can answer; the engine then compensates the operation.
    const hurried = createSqlSessionStore({
      dialect: database.dialect,
      query: (...call) => database.query(...call),
      transaction: (statements, options) => database.transaction(statements, { ...options, deadlineMs: 0.01 }),
      ping: () => database.ping(),
      close: () => database.close(),
    });
    for (let round = 0; round < 20; round++) {
      const [attempt] = await Promise.allSettled([hurried.acquire(session.sessionId, `h${round}`, 600_000)]);
      if (attempt.status === 'rejected') expect(attempt.reason).toBeInstanceOf(Unavailable);
      else if (attempt.value.kind === 'acquired') await store.release(attempt.value.lease);
    }
    const acquire = async (holder: string) => (await store.acquire(session.sessionId, holder, 600_000)).kind;
    let attempt = await acquire('b');
    await until('no unknown lease blocks the session', async () => {
      if (attempt !== 'acquired') attempt = await acquire('b');
      return attempt === 'acquired';
    });
    expect(await acquire('c')).toBe('running');
  });
});
