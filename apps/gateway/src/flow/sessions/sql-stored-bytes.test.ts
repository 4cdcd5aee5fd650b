import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Database } from '@flowgate/sql/engine/database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import type { FlowEventRecord } from '../events/flow-event.ts';
import { sessionRecord } from './session-store.contract.ts';
import type { SessionRecord, SessionStore, StorageBounds, Transition } from './session-store.ts';
import { createSqlRetentionStore } from './sql-retention-store.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

const boundless: StorageBounds = { appDataBytes: 2 ** 40, appDataNames: 2 ** 40, userBytes: 2 ** 40 };
const ttlMs = 600_000;

type Change = {
  readonly set?: Transition['appData']['set'];
  readonly delete?: readonly string[];
  readonly text?: string;
};

function eventOf(session: SessionRecord, text = ''): FlowEventRecord {
  const { sessionId, appId, version, lastSequence } = session;
  const data = { sessionId, appId, version, text };
  return { eventId: `evt_${sessionId}_${lastSequence}`, sessionId, sequence: lastSequence, type: 'x', atMs: 1, data };
}

async function step(store: SessionStore, before: SessionRecord, change: Change, bounds?: StorageBounds) {
  const attempt = await store.acquire(before.sessionId, crypto.randomUUID(), ttlMs);
  if (attempt.kind !== 'acquired') throw new Error(`not acquired: ${attempt.kind}`);
  const { session } = attempt.snapshot;
  const after: SessionRecord = {
    ...session,
    state: { text: change.text ?? '' },
    stateVersion: session.stateVersion + 1,
    lastSequence: session.lastSequence + 1,
  };
  const outcome = await store.commit(
    attempt.lease,
    {
      session: after,
      appData: { set: change.set ?? {}, delete: change.delete ?? [] },
      events: [eventOf(after, change.text)],
      response: { idempotencyKey: `k${after.stateVersion}`, body: `{"é":"${change.text ?? ''}"}`, headers: { A: 'b' } },
    },
    bounds,
  );
  if (outcome !== 'committed') await store.release(attempt.lease);
  return outcome;
}

/** The counters, and the sums of the stored data. */
async function countedAndThere(database: Database) {
  const rowsOf = async (text: string) =>
    (await database.query(text, []))
      .map((row) => `${textOf(row, 'id')} ${integerOf(row, 'bytes')} ${integerOf(row, 'names')}`)
      .sort();
  const session = 'octet_length(step) + octet_length(state) + COALESCE(octet_length(launch_context), 0)';
  const data = 'octet_length(name) + octet_length(value) + 4';
  const rows = `SELECT user_id AS owner, ${session} AS size FROM flow_sessions
    UNION ALL SELECT user_id, octet_length(body) + octet_length(headers) FROM flow_responses JOIN flow_sessions ON flow_sessions.session_id = flow_responses.session_id
    UNION ALL SELECT user_id, octet_length(data) FROM flow_events JOIN flow_sessions ON flow_sessions.session_id = flow_events.session_id
    UNION ALL SELECT user_id, ${data} FROM flow_app_data`;
  return {
    counted: [
      ...(await rowsOf('SELECT user_id AS id, bytes, 0 AS names FROM flow_usage WHERE bytes <> 0')),
      ...(await rowsOf('SELECT id, bytes, names FROM flow_app_data_usage WHERE bytes <> 0 OR names <> 0')),
    ],
    there: [
      ...(await rowsOf(
        `SELECT owner AS id, SUM(size) AS bytes, 0 AS names FROM (${rows}) AS rows_of_owner GROUP BY owner`,
      )),
      ...(await rowsOf(`SELECT app_id || ' ' || user_id AS id, SUM(${data}) AS bytes, COUNT(*) AS names
        FROM flow_app_data GROUP BY app_id, user_id`)),
    ],
  };
}

onEveryEngine((_engine, open) => {
  let opened: OpenedEngine;
  let store: SessionStore;
  let other: SessionStore;
  beforeEach(async () => {
    opened = await open();
    [store, other] = [createSqlSessionStore(opened.database), createSqlSessionStore(opened.other)];
  });
  afterEach(() => opened.close());
  const begin = async (more: Partial<SessionRecord> = {}, set: Transition['appData']['set'] = {}) => {
    const session = sessionRecord(more);
    await store.insert({ session, appData: { set, delete: [] }, events: [eventOf(session)] });
    return session;
  };
  const storedBytes = async () => Buffer.byteLength(JSON.stringify((await store.appData('alice', 'acme/app')).members));

  test('sixty concurrent sessions store no more app data than one could (contract/flow-apps, App data)', async () => {
    const bounds = { ...boundless, appDataBytes: 65_536 };
    const sessions = await Promise.all(Array.from({ length: 60 }, () => begin()));
    const outcomes = await Promise.all(
      sessions.map((session, at) =>
        step(at % 2 === 0 ? store : other, session, { set: { [`n${at}`]: 'é'.repeat(5_000) } }, bounds),
      ),
    );
    expect(outcomes.filter((each) => each === 'committed')).toHaveLength(6);
    expect(outcomes.filter((each) => each === 'app-data-full')).toHaveLength(54);
    expect(await storedBytes()).toBeLessThanOrEqual(65_536);
    // Starts count, too.
    const starts = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const session = sessionRecord();
        const appData = { set: { [`s${at}`]: 'x'.repeat(2_000) }, delete: [] };
        return (at % 2 === 0 ? store : other).insert({ session, appData, events: [] }, { bounds });
      }),
    );
    expect(starts.filter((each) => each === 'started')).toHaveLength(2);
    expect(await storedBytes()).toBeLessThanOrEqual(65_536);
    const { counted, there } = await countedAndThere(opened.database);
    expect(counted).toEqual(there);
  });

  test('data above the limit may shrink in any number of steps, and grow again below the limit', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `n${at}`);
    const session = await begin({}, Object.fromEntries(names.map((name) => [name, 'x'.repeat(1_000)])));
    const bounds = { ...boundless, appDataBytes: 5_000, appDataNames: 6 };
    expect(await step(store, session, { set: { n0: 'x'.repeat(1_001) } }, bounds)).toBe('app-data-full');
    expect(await step(store, session, { set: { n0: 'x'.repeat(900) } }, bounds)).toBe('committed');
    expect(await step(store, session, { set: { more: 1 }, delete: ['n0'] }, bounds)).toBe('committed');
    expect(await step(store, session, { set: { another: 1 } }, bounds)).toBe('app-data-full');
    expect(await step(store, session, { delete: ['n1', 'n2', 'n3', 'unknown'] }, bounds)).toBe('committed');
    expect(await step(store, session, { set: { seven: 1 } }, bounds)).toBe('app-data-full');
    expect(await step(store, session, { delete: ['n4', 'n5', 'n6'] }, bounds)).toBe('committed');
    expect(await step(store, session, { set: { seven: 1 } }, bounds)).toBe('committed');
  });

  test("the limit of a user's stored data over all apps is exact under concurrency, and sessions can always be ended", async () => {
    const bounds = { ...boundless, userBytes: 40_000 };
    const sessions = await Promise.all(
      Array.from({ length: 12 }, (_, at) => begin({ appId: at % 2 === 0 ? 'acme/app' : 'acme/other' })),
    );
    const outcomes = await Promise.all(
      sessions.map((session, at) => step(at % 2 === 0 ? store : other, session, { text: 'x'.repeat(2_000) }, bounds)),
    );
    const full = sessions.filter((_, at) => outcomes[at] === 'user-full');
    expect(outcomes.filter((each) => each === 'committed').length).toBeGreaterThan(3);
    expect(full.length).toBeGreaterThan(3);
    const usage = async () => {
      const [row] = await opened.database.query("SELECT bytes FROM flow_usage WHERE user_id = 'alice'", []);
      return row === undefined ? 0 : integerOf(row, 'bytes');
    };
    expect(await usage()).toBeLessThanOrEqual(40_000);
    const late = sessionRecord();
    const start = { session: late, appData: { set: { a: 'x'.repeat(8_000) }, delete: [] }, events: [] };
    expect(await other.insert(start, { bounds })).toBe('user-full');
    expect(await store.find('alice', late.sessionId)).toBeUndefined();
    expect(await store.hasRoom('alice', { maxActive: 100, userBytes: await usage() })).toBe('user-full');
    const [stuck] = full;
    if (stuck === undefined) throw new Error('none is full');
    const attempt = await store.acquire(stuck.sessionId, 'ender', ttlMs);
    if (attempt.kind !== 'acquired') throw new Error('not acquired');
    const ended: SessionRecord = { ...stuck, status: 'cancelled', stateVersion: 2, lastSequence: 2, state: {} };
    const transition = { session: ended, appData: { set: {}, delete: [] }, events: [eventOf(ended)] };
    expect(await store.commit(attempt.lease, transition)).toBe('committed');
    expect(await step(store, sessionRecord({ ...stuck, sessionId: full[1]?.sessionId ?? '' }), {}, boundless)).toBe(
      'committed',
    );
    const { counted, there } = await countedAndThere(opened.database);
    expect(counted).toEqual(there);
  });

  test('counters equal the stored data after any history', async () => {
    const seed = Number(process.env['SEED'] ?? 20_260_101);
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const retention = createSqlRetentionStore(opened.database);
    const bounds = { appDataBytes: 3_000, appDataNames: 12, userBytes: 30_000 };
    const open: SessionRecord[] = [];
    for (let round = 0; round < 80; round++) {
      const userId = ['alice', 'bob'][random(2)] ?? '';
      const appId = ['acme/app', 'acme/other'][random(2)] ?? '';
      const set = Object.fromEntries(
        Array.from({ length: random(4) }, () => [`n"${random(15)}é`, 'ü'.repeat(random(700))]),
      );
      const change = {
        set,
        delete: Array.from({ length: random(3) }, () => `n"${random(15)}é`),
        text: 'z'.repeat(random(900)),
      };
      const session = open[random(open.length)];
      if (session === undefined || random(4) === 0) {
        const fresh = sessionRecord({ userId, appId });
        const appData = { set, delete: change.delete };
        const outcome = await store.insert({ session: fresh, appData, events: [eventOf(fresh)] }, { bounds });
        if (outcome === 'started') open.push(fresh);
      } else if (random(6) === 0) {
        open.splice(open.indexOf(session), 1);
        const attempt = await store.acquire(session.sessionId, 'ender', ttlMs);
        if (attempt.kind !== 'acquired') throw new Error('not acquired');
        const { snapshot } = attempt;
        const { launchContext: _, ...before } = snapshot.session;
        const stateVersion = before.stateVersion + 1;
        const ended = {
          ...before,
          status: 'expired',
          stateVersion,
          lastSequence: before.lastSequence + 1,
          state: {},
        } as const;
        await store.commit(attempt.lease, {
          session: ended,
          appData: { set: {}, delete: [] },
          events: [eventOf(ended)],
        });
        if (random(2) === 0) while ((await retention.removeEnded(2 ** 40, 10)) > 0);
      } else await step(random(2) === 0 ? store : other, session, change, random(5) === 0 ? undefined : bounds);
      if (round % 10 === 9) {
        const { counted, there } = await countedAndThere(opened.database);
        expect({ seed, counted }).toEqual({ seed, counted: there });
      }
    }
  });

  test('of data above the limit, stored before it existed, a part is read, and deleting that part reveals the rest', async () => {
    const large = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`n${at}`, 'x'.repeat(900_000)]));
    const session = await begin({}, large);
    const { members, isWhole } = await store.appData('alice', 'acme/app');
    expect([Object.keys(members), isWhole]).toEqual([['n0', 'n1', 'n2'], false]);
    expect(await store.appDatum('alice', 'acme/app', 'n4')).toBe('x'.repeat(900_000));
    expect(await store.appDatum('alice', 'acme/app', 'none')).toBeUndefined();
    expect(await store.appDatum('bob', 'acme/app', 'n4')).toBeUndefined();
    await step(store, session, { delete: ['n0', 'n1'] });
    expect(await store.appData('alice', 'acme/app')).toEqual({
      members: { n2: large['n2'], n3: large['n3'], n4: large['n4'] },
      isWhole: true,
    });
  });
});
