import { afterEach, beforeEach, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { auditedRegistry } from '../../../test/fixtures/audited-registry.ts';
import { haltingDatabase, isHalted } from '../../../test/fixtures/halting-database.ts';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { createSqlEventStore, webhookQueue } from '../events/sql-event-store.ts';
import { createSqlSubscriptionStore } from '../events/sql-subscription-store.ts';
import { subscriptionRecord } from '../events/subscription-store.contract.ts';
import { appRecord, versionRecord } from '../registry/registry-store.contract.ts';
import { createSqlSecretMarkStore } from '../secrets/sql-secret-mark-store.ts';
import { sessionRecord } from './session-store.contract.ts';
import type { SessionRecord, SessionStore, Transition, Unseen } from './session-store.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

const appId = 'acme/pay';
const ttlMs = 600_000;
const nothing = { set: {}, delete: [] };

onEveryEngine((engine, open) => {
  let opened: OpenedEngine;
  let store: SessionStore;
  beforeEach(async () => {
    opened = await open();
    store = createSqlSessionStore(opened.database);
  });
  afterEach(() => opened.close());

  async function begin(more: Partial<SessionRecord> = {}, set: Transition['appData']['set'] = {}) {
    const session = sessionRecord({ appId, ...more });
    await store.insert({ session, appData: { set, delete: [] }, events: [] });
    return session;
  }

  async function acquire(session: SessionRecord, seen?: SessionRecord) {
    const attempt = await store.acquire(session.sessionId, crypto.randomUUID(), ttlMs, 'k', seen);
    if (attempt.kind !== 'acquired') throw new Error(`not acquired: ${attempt.kind}`);
    return attempt;
  }

  /** The next transition, with one event and a response under `k`. */
  function next(before: SessionRecord): Transition {
    const sequence = before.lastSequence + 1;
    const session = { ...before, stateVersion: before.stateVersion + 1, lastSequence: sequence };
    const { sessionId, version, stateVersion } = session;
    const data = { sessionId, appId, version, stateVersion };
    const event = {
      eventId: `evt_${sessionId}_${sequence}`,
      sessionId,
      sequence,
      type: 'step_submitted',
      atMs: 1,
      data,
    };
    const response = { idempotencyKey: 'k', body: '{"first":true}', headers: {} };
    return { session, appData: nothing, events: [event], response };
  }

  test('a submission reads its version and app with its session; a replay reads neither', async () => {
    const registry = auditedRegistry(opened.database);
    const { ownerId, visibility } = appRecord();
    await registry.insertApp(appRecord({ appId, subjectSalt: 'salty' }));
    await registry.insertVersion(versionRecord({ appId }));
    await registry.insertVersion(versionRecord({ appId, version: '2.0.0+build.7' }));
    await registry.retire(appId, '2.0.0', 7);
    const find = (session: SessionRecord, userId = 'alice') => store.findForSubmission(userId, session.sessionId, 'k');
    const session = await begin();
    const { manifest, sealedSecret, version, status } = versionRecord();
    const [snapshot, app] = [
      { session, isLeased: false },
      { subjectSalt: 'salty', ownerId, visibility },
    ];
    expect(await find(session)).toEqual({
      ...snapshot,
      app,
      version: { appId, version, manifest, sealedSecret, status },
    });
    expect(await find(session, 'bob')).toBeUndefined();
    await registry.retire(appId, '1.0.0', 7);
    expect((await find(session))?.version?.status).toBe('retired');
    // The registry finds such versions by their names without build metadata.
    const built = await begin({ version: '2.0.0+build.7' });
    expect((await find(built))?.version).toBeUndefined();
    expect((await registry.findVersion(appId, built.version))?.status).toBe('retired');
    const stray = await begin({ appId: 'acme/gone', version: '1.0.0' });
    expect(await find(stray)).toEqual({ session: stray, isLeased: false });

    const { lease } = await acquire(session);
    expect((await find(session))?.isLeased).toBe(true);
    await store.commit(lease, next(session));
    const again = await find(session);
    expect(again?.response?.body).toBe('{"first":true}');
    expect([again?.session.stateVersion, again?.version]).toEqual([2, undefined]);
  });

  test('a known session is read again only if it has changed', async () => {
    const session = await begin();
    // A given session with the stored stateVersion is returned instead of being read again.
    const seen = { ...session, state: { seen: true } };
    const first = await acquire(session, seen);
    expect(first.snapshot).toEqual({ session: seen, isLeased: false });
    expect(await store.commit(first.lease, next(session))).toBe('committed');
    const second = await acquire(session, seen);
    expect(second.snapshot.session).toEqual(next(session).session);
    expect(second.snapshot.response?.body).toBe('{"first":true}');
    await store.release(second.lease);
    expect(await store.acquire('ses_unknown', 'h', ttlMs, 'k', { ...seen, sessionId: 'ses_unknown' })).toEqual({
      kind: 'over',
    });
    const third = await acquire(session, second.snapshot.session);
    expect(await store.acquire(session.sessionId, 'other', ttlMs, 'k', seen)).toEqual({ kind: 'running' });
    await store.commit(third.lease, {
      ...next(second.snapshot.session),
      session: { ...next(second.snapshot.session).session, status: 'completed' },
      response: { idempotencyKey: 'l', body: '', headers: {} },
    });
    expect(await store.acquire(session.sessionId, 'late', ttlMs, 'k', seen)).toEqual({ kind: 'over' });
  });

  test('acquiring the lease also reads app data unless it is large, and whether there are secrets or subscriptions', async () => {
    const [marks, subscriptions] = [
      createSqlSecretMarkStore(opened.database),
      createSqlSubscriptionStore(opened.database),
    ];
    const session = await begin({}, { small: [1, 'two'], __proto: null });
    await begin({ appId: 'acme/other' }, { other: 1 });
    await begin({ userId: 'bob' }, { theirs: 1 });
    const facts = async () => {
      const { lease, userAndApp } = await acquire(session, session);
      await store.release(lease);
      return userAndApp;
    };
    const appData = { members: { small: [1, 'two'], __proto: null }, isWhole: true };
    expect(await facts()).toEqual({ appData, hasSecretMarks: false, hasSubscriptions: false });
    expect((await acquire(await begin())).userAndApp).toBeUndefined();
    await marks.remember({ userId: 'alice', appId: 'acme/other' }, ['m0'], 1, 10);
    await marks.remember({ userId: 'alice', appId }, ['m1'], 1, 10);
    await subscriptions.insertIfUnder(subscriptionRecord({ appId: 'acme/other' }), 10);
    expect(await facts()).toEqual({ appData, hasSecretMarks: true, hasSubscriptions: false });
    await subscriptions.insertIfUnder(subscriptionRecord({ appId }), 10);
    await begin({}, { large: 'x'.repeat(16_384) });
    expect(await facts()).toEqual({ hasSecretMarks: true, hasSubscriptions: true });
    await begin({}, { large: 1 });
    expect((await facts())?.appData?.members).toEqual({ ...appData.members, large: 1 });
  });

  // On SQLite there is one writer at a time.
  if (engine === 'PostgreSQL')
    test('data that another session stores between two statements of acquiring a lease are read completely or not at all', async () => {
      const more = "(SELECT COUNT(*) FROM flow_app_data WHERE name = 'large') > 0";
      const found: unknown[] = [];
      for (const at of [1, 2, 3, 4, 5]) {
        const session = await begin({ userId: `user ${at}` }, { small: at });
        const halted = createSqlSessionStore(haltingDatabase(opened.database, at, more));
        const attempt = halted.acquire(session.sessionId, 'h', ttlMs, 'k', session);
        await until('the transaction waits', () => isHalted(opened.other));
        await createSqlSessionStore(opened.other).insert({
          session: sessionRecord({ appId, userId: session.userId }),
          appData: { set: { large: 'x'.repeat(20_000) }, delete: [] },
          events: [],
        });
        const acquired = await attempt;
        if (acquired.kind !== 'acquired') throw new Error(acquired.kind);
        found.push(acquired.userAndApp?.appData?.members);
        await opened.database.transaction([{ text: 'DELETE FROM flow_app_data', values: [] }]);
      }
      expect(found).toEqual([undefined, undefined, undefined, undefined, { small: 5 }]);
    });

  const unseen: Unseen = { subscriptions: true, secretMarks: true };

  test('a subscription created between lease and commit gets the event; without subscriptions the event is stored, too', async () => {
    const subscriptions = createSqlSubscriptionStore(opened.database);
    const events = createSqlEventStore(opened.database);
    const [alone, reported] = [await begin(), await begin()];
    const [first, second] = [await acquire(alone, alone), await acquire(reported, reported)];
    expect(await store.commit(first.lease, next(alone), undefined, unseen)).toBe('committed');
    await subscriptions.insertIfUnder(subscriptionRecord({ appId, eventType: 'step_submitted' }), 10);
    expect(await store.commit(second.lease, next(reported), undefined, unseen)).toBe('committed');
    for (const { sessionId } of [alone, reported])
      expect((await events.eventsAfter(sessionId, 0, 10)).events.map(({ type }) => type)).toEqual(['step_submitted']);
    const due = await opened.database.query('SELECT payload FROM outbox WHERE queue = ?', [webhookQueue]);
    expect(due).toEqual([{ payload: `evt_${reported.sessionId}_2` }]);
  });

  test('a step writes four rows in as many statements, and with a subscription the rows of its deliveries', async () => {
    const session = await begin();
    const sent: number[] = [];
    const counting = createSqlSessionStore({
      dialect: opened.database.dialect,
      query: (...call) => opened.database.query(...call),
      transaction: (statements, options) => {
        sent.push(statements.length + (options?.onlyIf === undefined ? 0 : 1));
        return opened.database.transaction(statements, options);
      },
      ping: () => opened.database.ping(),
      close: () => opened.database.close(),
    });
    const { lease } = await acquire(session, session);
    expect(await counting.commit(lease, next(session), undefined, unseen)).toBe('committed');
    const reported = await begin();
    await createSqlSubscriptionStore(opened.database).insertIfUnder(subscriptionRecord({ appId }), 10);
    const { lease: second } = await acquire(reported, reported);
    expect(await counting.commit(second, next(reported))).toBe('committed');
    expect(sent).toEqual([5, 11]);
  });

  test('a secret that another session sends to the app before the commit prevents the commit, and the lease remains', async () => {
    const marks = createSqlSecretMarkStore(opened.database);
    const session = await begin();
    const { lease } = await acquire(session, session);
    await marks.remember({ userId: 'alice', appId }, ['m1'], 1, 10);
    for (const subscriptions of [true, false])
      expect(await store.commit(lease, next(session), undefined, { subscriptions, secretMarks: true })).toBe('marked');
    expect(await store.find('alice', session.sessionId, 'k')).toEqual({ session, isLeased: true });
    // A former holder gets `lost` and not `marked`.
    expect(await store.commit({ ...lease, token: lease.token + 1 }, next(session), undefined, unseen)).toBe('lost');
    expect(await store.commit(lease, next(session), undefined, { subscriptions: true, secretMarks: false })).toBe(
      'committed',
    );
  });
});
