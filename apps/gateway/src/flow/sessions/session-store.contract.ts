/** The guarantees of `flow/sessions/session-store.ts` as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { FlowEventRecord } from '../events/flow-event.ts';
import type { SessionRecord } from './session.ts';
import type { SessionLeaseAttempt, SessionStore, Transition } from './session-store.ts';

export type OpenedSessions = {
  readonly store: SessionStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: SessionStore;
  /** The events of a session as `sequence type`, ascending. */
  readonly events: (sessionId: string) => Promise<readonly string[]>;
  /** The number of rows of leases in the storage. */
  readonly leases: () => Promise<number>;
  /** Advances the clock that leases use. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Far longer than a test takes, so that only the test's clock makes leases expire. */
const ttlMs = 600_000;
/** The limit of bytes is far above what a test writes. */
const limits = { maxActive: 5, userBytes: 2 ** 40 };
let made = 0;

export function sessionRecord(more: Partial<SessionRecord> = {}): SessionRecord {
  made += 1;
  return {
    sessionId: `ses_${String(made).padStart(26, '0')}`,
    userId: 'alice',
    appId: 'acme/app',
    version: '1.0.0',
    status: 'active',
    stateVersion: 1,
    step: { stepId: 'one', title: 'Ünë 😀', fields: [], actions: [{ actionId: 'go', label: 'Go' }] },
    state: { deep: [{ 'a\u0000b': '\ud800' }] },
    launchContext: { from: 'here' },
    lastSequence: 1,
    createdAtMs: 1_000 + made,
    updatedAtMs: 1_000 + made,
    expiresAtMs: 90_000,
    ...more,
  };
}

function event(session: SessionRecord, sequence: number, type = 'step_submitted'): FlowEventRecord {
  const { sessionId, appId, version, stateVersion } = session;
  return {
    eventId: `evt_${sessionId}_${sequence}_${stateVersion}`,
    sessionId,
    sequence,
    type,
    atMs: session.updatedAtMs,
    data: { sessionId, appId, version, stateVersion },
  };
}

function started(session: SessionRecord, set: Transition['appData']['set'] = {}): Omit<Transition, 'response'> {
  return { session, appData: { set, delete: [] }, events: [event(session, 1, 'session_created')] };
}

function next(before: SessionRecord, idempotencyKey?: string, more: Partial<SessionRecord> = {}): Transition {
  const sequence = before.lastSequence + 1;
  const session = { ...before, stateVersion: before.stateVersion + 1, lastSequence: sequence, ...more };
  const transition = { session, appData: { set: {}, delete: [] }, events: [event(session, sequence)] };
  if (idempotencyKey === undefined) return transition;
  const body = `{"stateVersion":${session.stateVersion},"odd":"\\u0000 é"}`;
  return { ...transition, response: { idempotencyKey, body, headers: { 'X-Payment-Response': 'abc' } } };
}

function acquired(attempt: SessionLeaseAttempt) {
  if (attempt.kind !== 'acquired') throw new Error(`not acquired: ${attempt.kind}`);
  return attempt;
}

export function sessionStoreContract(engine: string, open: () => Promise<OpenedSessions>): void {
  describe(`sessions on ${engine}`, () => {
    let opened: OpenedSessions;
    let store: SessionStore;
    let other: SessionStore;
    beforeEach(async () => {
      opened = await open();
      ({ store, other } = opened);
    });
    afterEach(() => opened.close());
    const begin = async (more: Partial<SessionRecord> = {}) => {
      const session = sessionRecord(more);
      await store.insert(started(session));
      return session;
    };

    test('a session is returned as inserted, to its user only (contract/conventions)', async () => {
      const session = await begin();
      const { launchContext: _, ...plain } = sessionRecord();
      await store.insert(started(plain));
      expect(await other.find('alice', session.sessionId)).toEqual({ session, isLeased: false });
      expect(await other.find('alice', plain.sessionId, 'k')).toEqual({ session: plain, isLeased: false });
      expect(await other.find('bob', session.sessionId)).toBeUndefined();
      expect(await other.find('alice', 'ses_unknown')).toBeUndefined();
      expect(await opened.events(session.sessionId)).toEqual(['1 session_created']);
    });

    test('a repeated insertion changes nothing, not even app data that has changed since', async () => {
      const session = sessionRecord();
      await store.insert(started(session, { total: 1 }));
      await other.insert(started(sessionRecord(), { total: 2 }));
      await store.insert(started({ ...session, version: '2.0.0' }, { total: 1 }));
      expect(await store.find('alice', session.sessionId)).toEqual({ session, isLeased: false });
      expect((await store.appData('alice', 'acme/app')).members).toEqual({ total: 2 });
      expect(await opened.events(session.sessionId)).toEqual(['1 session_created']);
    });

    test('the limit of a user’s active sessions is exact under concurrency; ended sessions and those of other users do not count', async () => {
      const began = await begin();
      await begin({ status: 'expired' });
      await begin({ userId: 'bob' });
      const sessions = Array.from({ length: 12 }, (_, at) =>
        sessionRecord({ appId: at % 3 === 0 ? 'acme/app' : 'acme/other' }),
      );
      expect(await store.hasRoom('alice', limits)).toBe('room');
      const outcomes = await Promise.all(
        sessions.map((session, at) =>
          (at % 2 === 0 ? store : other).insert(started(session, { [`n${at}`]: 1 }), { maxActive: 5 }),
        ),
      );
      expect(outcomes.toSorted()).toEqual([...Array(8).fill('full'), ...Array(4).fill('started')]);
      expect(await store.hasRoom('alice', limits)).toBe('full');
      for (const [at, { sessionId, appId }] of sessions.entries()) {
        const isThere = outcomes[at] === 'started';
        expect((await store.find('alice', sessionId)) !== undefined).toBe(isThere);
        expect(await opened.events(sessionId)).toHaveLength(isThere ? 1 : 0);
        expect(`n${at}` in (await store.appData('alice', appId)).members).toBe(isThere);
      }
      const there = sessions[outcomes.indexOf('started')] ?? began;
      expect(await other.insert(started(there), { maxActive: 5 })).toBe('started');
      const { lease } = acquired(await store.acquire(began.sessionId, 'a', ttlMs));
      await store.commit(lease, next(began, 'end', { status: 'completed' }));
      expect(await store.hasRoom('alice', limits)).toBe('room');
      expect(await store.insert(started(sessionRecord()), { maxActive: 5 })).toBe('started');
      expect(await store.insert(started(sessionRecord({ userId: 'bob' })), { maxActive: 2 })).toBe('started');
    });

    test('concurrent starts and commits of one user that change the same names all succeed', async () => {
      const sessions = await Promise.all(Array.from({ length: 6 }, () => begin()));
      const set = { a: 1, b: 2, c: 3 };
      const backwards = { c: 3, b: 2, a: 1 };
      const done = await Promise.all<unknown>([
        ...sessions.map((_, at) =>
          store.insert(started(sessionRecord(), at % 2 === 0 ? set : backwards), { maxActive: 100 }),
        ),
        ...sessions.map(async (session, at) => {
          const { lease } = acquired(await other.acquire(session.sessionId, `h${at}`, ttlMs));
          return other.commit(lease, {
            ...next(session),
            appData: { set: at % 2 === 0 ? backwards : set, delete: [] },
          });
        }),
      ]);
      expect(done).toEqual([...sessions.map(() => 'started'), ...sessions.map(() => 'committed')]);
    });

    test('of forty concurrent attempts at a lease over two connections, one succeeds, and all connections see it', async () => {
      const session = await begin();
      const attempts = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          (at % 2 === 0 ? store : other).acquire(session.sessionId, `h${at}`, ttlMs),
        ),
      );
      expect(attempts.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
      expect(attempts.filter(({ kind }) => kind === 'running')).toHaveLength(39);
      expect(attempts.find(({ kind }) => kind === 'acquired')).toMatchObject({
        snapshot: { session, isLeased: false },
      });
      expect(await other.find('alice', session.sessionId)).toEqual({ session, isLeased: true });
    });

    test('a transition writes session, app data, events and response, and releases the session (contract/flow-apps)', async () => {
      const session = await begin();
      const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs, 'k'));
      const transition = next(session, 'k', {
        step: { stepId: 'two', title: '2', fields: [], actions: [] },
        state: { now: 'two' },
        updatedAtMs: 5_000,
        expiresAtMs: 95_000,
      });
      const { response } = transition;
      expect(await store.commit(lease, { ...transition, appData: { set: { a: [1, null], b: 'x' }, delete: [] } })).toBe(
        'committed',
      );
      expect(await other.find('alice', session.sessionId, 'k')).toEqual({
        session: transition.session,
        isLeased: false,
        response: { body: response?.body ?? '', headers: response?.headers ?? {} },
      });
      expect(await other.find('alice', session.sessionId, 'K')).toEqual({
        session: transition.session,
        isLeased: false,
      });
      expect((await other.appData('alice', 'acme/app')).members).toEqual({ a: [1, null], b: 'x' });
      expect(await opened.events(session.sessionId)).toEqual(['1 session_created', '2 step_submitted']);
      expect(acquired(await other.acquire(session.sessionId, 'b', ttlMs, 'k')).snapshot).toEqual({
        session: transition.session,
        isLeased: false,
        response: { body: response?.body ?? '', headers: response?.headers ?? {} },
      });
    });

    test('a repeated commit is refused and changes nothing', async () => {
      const session = await begin();
      const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs));
      const transition = next(session, 'k');
      expect(await store.commit(lease, transition)).toBe('committed');
      expect(await store.commit(lease, transition)).toBe('lost');
      expect(await store.commit(lease, next(transition.session, 'k2'))).toBe('lost');
      expect(await opened.events(session.sessionId)).toHaveLength(2);
      expect((await store.find('alice', session.sessionId, 'k2'))?.response).toBeUndefined();
    });

    test('of concurrent commits under one lease exactly one succeeds', async () => {
      for (let round = 0; round < 5; round++) {
        const session = await begin();
        const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs));
        const done = await Promise.all(
          Array.from({ length: 12 }, (_, at) =>
            (at % 2 === 0 ? store : other).commit(lease, {
              ...next(session, `k${at}`),
              appData: { set: { winner: at }, delete: [] },
            }),
          ),
        );
        expect(done.filter((each) => each === 'committed')).toHaveLength(1);
        expect((await store.appData('alice', 'acme/app')).members).toEqual({ winner: done.indexOf('committed') });
        expect(await opened.events(session.sessionId)).toHaveLength(2);
      }
    });

    test('an expired lease can be acquired, and its former holder can commit nothing (fencing)', async () => {
      const session = await begin();
      const stale = acquired(await store.acquire(session.sessionId, 'a', ttlMs)).lease;
      await opened.advance(ttlMs);
      expect(await store.find('alice', session.sessionId)).toMatchObject({ isLeased: false });
      const fresh = acquired(await other.acquire(session.sessionId, 'b', ttlMs)).lease;
      expect(fresh.token).toBeGreaterThan(stale.token);
      expect(await store.commit(stale, next(session, 'stale'))).toBe('lost');
      expect(await store.renew(stale, ttlMs)).toBe(false);
      await store.release(stale);
      expect(await store.find('alice', session.sessionId, 'stale')).toEqual({ session, isLeased: true });
      expect(await other.commit(fresh, next(session, 'fresh'))).toBe('committed');
    });

    test('after a take-over no commit of the former holder succeeds, in any interleaving', async () => {
      for (let round = 0; round < 15; round++) {
        const session = await begin();
        const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs));
        await opened.advance(ttlMs);
        const committing = store.commit(lease, next(session, 'k'));
        const taken = await other.acquire(session.sessionId, 'b', ttlMs, 'k');
        const [wasCommitted, seen] = [(await committing) === 'committed', acquired(taken).snapshot];
        expect(seen.session.stateVersion).toBe(wasCommitted ? 2 : 1);
        expect(seen.response !== undefined).toBe(wasCommitted);
        expect((await store.find('alice', session.sessionId))?.session).toEqual(seen.session);
      }
    });

    test('a renewed lease remains valid; a released one is free at once, and its holder can commit nothing', async () => {
      const session = await begin();
      const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs));
      await opened.advance(ttlMs - 60_000);
      expect(await store.renew(lease, ttlMs)).toBe(true);
      await opened.advance(ttlMs - 60_000);
      expect(await other.acquire(session.sessionId, 'b', ttlMs)).toEqual({ kind: 'running' });
      await store.release(lease);
      await store.release(lease);
      expect(await store.commit(lease, next(session))).toBe('lost');
      expect(await other.acquire(session.sessionId, 'b', ttlMs)).toMatchObject({ kind: 'acquired' });
    });

    test('a commit requires the preceding stateVersion, and a lease on its session', async () => {
      const session = await begin();
      const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs));
      expect(await store.commit(lease, next({ ...session, stateVersion: 2 }))).toBe('lost');
      expect(await store.commit(lease, next({ ...session, stateVersion: 0 }))).toBe('lost');
      const stranger = await begin();
      const [mixed] = await Promise.allSettled([store.commit(lease, next(stranger))]);
      expect(mixed.status).toBe('rejected');
      expect(await store.commit(lease, next(session))).toBe('committed');
      expect((await store.find('alice', stranger.sessionId))?.session).toEqual(stranger);
    });

    test('an ended session can no longer be acquired or changed, and has no lease and no launchContext', async () => {
      for (const status of ['completed', 'cancelled', 'expired', 'failed'] as const) {
        const session = await begin();
        const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs));
        expect(await store.commit(lease, next(session, 'end', { status }))).toBe('committed');
        expect(await other.acquire(session.sessionId, 'b', ttlMs)).toEqual({ kind: 'over' });
        expect(await store.commit(lease, next({ ...session, stateVersion: 2 }))).toBe('lost');
        expect(await store.renew(lease, ttlMs)).toBe(false);
        await store.release(lease);
        const seen = await store.find('alice', session.sessionId);
        expect(seen).toMatchObject({ session: { status }, isLeased: false });
        expect(seen?.session).not.toHaveProperty('launchContext');
      }
      expect(await store.acquire('ses_unknown', 'a', ttlMs)).toEqual({ kind: 'over' });
      expect(await opened.leases()).toBe(0);
    });

    test('an attempt at the lease while another request ends the session reports the end, and leaves no lease', async () => {
      for (let round = 0; round < 15; round++) {
        const session = await begin();
        const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs));
        const [, ...attempts] = await Promise.all([
          store.commit(lease, next(session, 'end', { status: 'completed' })),
          ...Array.from({ length: 4 }, (_, at) => other.acquire(session.sessionId, `b${at}`, ttlMs, 'end')),
        ]);
        for (const attempt of attempts) {
          if (attempt.kind !== 'acquired') continue;
          expect(attempt.snapshot).toMatchObject({
            session: { status: 'completed' },
            response: { body: expect.any(String) },
          });
          expect(await other.commit(attempt.lease, next({ ...session, stateVersion: 2 }))).toBe('lost');
          await other.release(attempt.lease);
        }
      }
      expect(await opened.leases()).toBe(0);
    });

    test('app data belongs to a user and an app; any name can be set, replaced and deleted', async () => {
      const odd = {
        __proto__x: 1,
        'a b': { c: [true, null, 1.5, '\u0000 \ud800'] },
        '': 'empty',
        '"quoted"': -0.25,
        é: 'é',
      };
      const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`n${String(at).padStart(3, '0')}`, at]));
      await store.insert(started(sessionRecord(), { ...odd, ...many }));
      await store.insert(started(sessionRecord({ userId: 'bob' }), { own: 'bob’s' }));
      await store.insert(started(sessionRecord({ appId: 'acme/other' }), { own: 'other' }));
      expect((await other.appData('alice', 'acme/app')).members).toEqual({ ...odd, ...many });
      expect((await other.appData('bob', 'acme/app')).members).toEqual({ own: 'bob’s' });
      expect((await other.appData('carol', 'acme/app')).members).toEqual({});
      const session = await begin();
      const { lease } = acquired(await store.acquire(session.sessionId, 'a', ttlMs));
      const appData = { set: { '': 'again', new: 1 }, delete: [...Object.keys(many), 'é', '', 'unknown'] };
      await store.commit(lease, { ...next(session), appData });
      const { é: _, ...rest } = odd;
      expect((await other.appData('alice', 'acme/app')).members).toEqual({ ...rest, '': 'again', new: 1 });
      expect((await other.appData('alice', 'acme/other')).members).toEqual({ own: 'other' });
    });

    test('concurrent sessions of one user that change the same names all succeed', async () => {
      const sessions = await Promise.all(Array.from({ length: 12 }, () => begin()));
      const done = await Promise.all(
        sessions.map(async (session, at) => {
          const through = at % 2 === 0 ? store : other;
          const { lease } = acquired(await through.acquire(session.sessionId, `h${at}`, ttlMs));
          const names = at % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'b', 'a'];
          const set = Object.fromEntries(names.map((name) => [name, at]));
          return through.commit(lease, { ...next(session), appData: { set, delete: at % 3 === 0 ? ['b', 'a'] : [] } });
        }),
      );
      expect(done).toEqual(sessions.map(() => 'committed'));
      const { a, b, c } = (await store.appData('alice', 'acme/app')).members;
      expect([a, b, c]).toEqual([a, a, a]);
    });

    test('the same key in another session has its own response', async () => {
      const [one, two] = [await begin(), await begin({ userId: 'bob' })];
      const { lease } = acquired(await store.acquire(one.sessionId, 'a', ttlMs, 'k'));
      await store.commit(lease, next(one, 'k'));
      expect((await store.find('bob', two.sessionId, 'k'))?.response).toBeUndefined();
      expect(acquired(await store.acquire(two.sessionId, 'a', ttlMs, 'k')).snapshot.response).toBeUndefined();
      expect(await store.find('bob', one.sessionId, 'k')).toBeUndefined();
    });

    test('lists contain the user’s own sessions, newest first, in pages, by app and status', async () => {
      const mine: SessionRecord[] = [];
      for (let at = 0; at < 5; at++)
        mine.push(await begin({ createdAtMs: 5_000 + Math.floor(at / 2), userId: 'lister' }));
      const done = await begin({ createdAtMs: 9_000, userId: 'lister', appId: 'acme/other', status: 'completed' });
      await begin({ userId: 'bob' });
      const expected = [...mine, done]
        .sort((left, right) => left.createdAtMs - right.createdAtMs || (left.sessionId < right.sessionId ? -1 : 1))
        .reverse();
      const seen: SessionRecord[] = [];
      let page = await store.list('lister', {}, { limit: 2 });
      for (let pages = 1; ; pages++) {
        seen.push(...page.records);
        if (page.next === undefined) {
          expect(pages).toBe(3);
          break;
        }
        page = await other.list('lister', {}, { limit: 2, after: page.next });
      }
      expect(seen).toEqual(expected);
      expect((await store.list('lister', { status: 'completed' }, { limit: 9 })).records).toEqual([done]);
      expect((await store.list('lister', { appId: 'acme/app', status: 'completed' }, { limit: 9 })).records).toEqual(
        [],
      );
      expect((await store.list('lister', { appId: 'acme/app' }, { limit: 9 })).records).toHaveLength(5);
    });

    test('a page of large sessions ends early, and the next one continues', async () => {
      const state = { text: 'é'.repeat(450_000) };
      const large = [];
      for (let at = 0; at < 7; at++) large.push(await begin({ createdAtMs: 5_000 + at, userId: 'lister', state }));
      const seen: SessionRecord[][] = [];
      let page = await store.list('lister', {}, { limit: 100 });
      for (; page.next !== undefined; page = await other.list('lister', {}, { limit: 100, after: page.next }))
        seen.push([...page.records]);
      seen.push([...page.records]);
      expect(seen.map(({ length }) => length)).toEqual([3, 3, 1]);
      expect(seen.flat()).toEqual(large.reverse());
    });

    test('active sessions without a lease whose time is over are due, the most overdue first', async () => {
      const [late, later, done, leased, notYet] = [
        await begin({ expiresAtMs: 200 }),
        await begin({ expiresAtMs: 100 }),
        await begin({ expiresAtMs: 50, status: 'completed' }),
        await begin({ expiresAtMs: 60 }),
        await begin({ expiresAtMs: 201 }),
      ];
      expect(done.status).toBe('completed');
      await store.acquire(leased.sessionId, 'a', ttlMs);
      expect(await other.dueForExpiry(200, 10)).toEqual([later.sessionId, late.sessionId]);
      expect(await other.dueForExpiry(201, 2)).toEqual([later.sessionId, late.sessionId]);
      await opened.advance(ttlMs);
      expect(await other.dueForExpiry(201, 10)).toEqual(
        [leased, later, late, notYet].map(({ sessionId }) => sessionId),
      );
    });
  });
}
