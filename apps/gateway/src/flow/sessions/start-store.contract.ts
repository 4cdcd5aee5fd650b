/** The guarantees of `flow/sessions/start-store.ts`, and of an insertion with a key, as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { RetentionStore } from './retention-store.ts';
import { sessionRecord } from './session-store.contract.ts';
import type { SessionStore, Transition } from './session-store.ts';
import type { StartStore } from './start-store.ts';

export type OpenedStarts = {
  readonly store: StartStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: StartStore;
  readonly sessions: readonly [SessionStore, SessionStore];
  readonly retention: RetentionStore;
  /** The number of rows of leases in the storage. */
  readonly leases: () => Promise<number>;
  /** Advances the clock that leases use. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const ttlMs = 600_000;
const noChange = { set: {}, delete: [] };

function startOf(idempotencyKey: string, more: Parameters<typeof sessionRecord>[0] = {}): Required<Transition> {
  const session = sessionRecord({ lastSequence: 0, ...more });
  const response = { idempotencyKey, body: `{"sessionId":"${session.sessionId}"}`, headers: { Location: '/x' } };
  return { session, appData: noChange, events: [], response };
}

export function startStoreContract(engine: string, open: () => Promise<OpenedStarts>): void {
  describe(`starts on ${engine}`, () => {
    let opened: OpenedStarts;
    let store: StartStore;
    let sessions: SessionStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      [sessions] = opened.sessions;
    });
    afterEach(() => opened.close());

    test('of forty concurrent insertions with one key over two connections, one succeeds, with its response', async () => {
      const starts = Array.from({ length: 40 }, () => startOf('k'));
      const outcomes = await Promise.all(
        starts.map((start, at) => (opened.sessions[at % 2] ?? sessions).insert(start)),
      );
      expect(outcomes.toSorted()).toEqual([...Array(39).fill('answered'), 'started']);
      const first = starts[outcomes.indexOf('started')];
      expect(await opened.other.find('alice', 'k')).toEqual({
        body: first?.response.body ?? '',
        headers: { Location: '/x' },
      });
      const there = await Promise.all(starts.map(({ session }) => sessions.find('alice', session.sessionId)));
      expect(there.filter((each) => each !== undefined)).toHaveLength(1);
      // The same again, as after a lost reply.
      if (first !== undefined) expect(await sessions.insert(first)).toBe('started');
    });

    test('a key belongs to its user, is compared exactly, and differs from keys of submissions', async () => {
      const { session, ...start } = startOf('k');
      expect(await sessions.insert({ ...start, session })).toBe('started');
      for (const [user, key] of [
        ['bob', 'k'],
        ['alice', 'K'],
        ['alice', 'k '],
        ['alice', `${session.sessionId}:k`],
        ['alic', 'e","k'],
      ] as const)
        expect([user, key, await store.find(user, key)]).toEqual([user, key, undefined]);
      expect((await sessions.find('alice', session.sessionId, 'k'))?.response).toBeUndefined();
      expect(await sessions.insert(startOf('k', { userId: 'bob' }))).toBe('started');
    });

    test('an insertion that a limit refuses does not retain its key', async () => {
      expect(await sessions.insert(startOf('a'), { maxActive: 1 })).toBe('started');
      expect(await sessions.insert(startOf('b'), { maxActive: 1 })).toBe('full');
      expect(await store.find('alice', 'b')).toBeUndefined();
      expect(await sessions.insert(startOf('a'), { maxActive: 1 })).toBe('answered');
    });

    test('a key is valid as long as its session, and can then be used by another start, even before the remains are deleted', async () => {
      const over = startOf('k', { status: 'completed', updatedAtMs: 5 });
      await sessions.insert(over);
      expect(await opened.retention.removeEnded(5, 10)).toBe(1);
      expect(await store.find('alice', 'k')).toBeUndefined();
      const next = startOf('k');
      expect(await sessions.insert(next)).toBe('started');
      while (await opened.retention.clearRemains());
      expect(await store.find('alice', 'k')).toEqual({ body: next.response.body, headers: { Location: '/x' } });
    });

    test('of forty concurrent attempts at a lease on one key one succeeds; the next holder sees the response', async () => {
      const attempts = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          (at % 2 === 0 ? store : opened.other).acquire('alice', 'k', `h${at}`, ttlMs),
        ),
      );
      const acquired = attempts.filter((attempt) => attempt.kind === 'acquired');
      expect(acquired).toHaveLength(1);
      expect(acquired[0]).not.toHaveProperty('response');
      expect(await store.acquire('bob', 'k', 'h', ttlMs)).toMatchObject({ kind: 'acquired' });
      const start = startOf('k');
      await sessions.insert(start);
      if (acquired[0] !== undefined) await store.release(acquired[0].lease);
      expect(await opened.other.acquire('alice', 'k', 'next', ttlMs)).toMatchObject({
        kind: 'acquired',
        response: { body: start.response.body },
      });
    });

    test('a renewed lease remains valid; an expired one can be acquired by another holder, and no longer renewed', async () => {
      const attempt = await store.acquire('alice', 'k', 'a', ttlMs);
      if (attempt.kind !== 'acquired') throw new Error('not acquired');
      await opened.advance(ttlMs - 1_000);
      expect(await store.renew(attempt.lease, ttlMs)).toBe(true);
      await opened.advance(ttlMs - 1_000);
      expect(await opened.other.acquire('alice', 'k', 'b', ttlMs)).toEqual({ kind: 'running' });
      await opened.advance(2_000);
      expect(await opened.other.acquire('alice', 'k', 'b', ttlMs)).toMatchObject({ kind: 'acquired' });
      expect(await store.renew(attempt.lease, ttlMs)).toBe(false);
      await store.release(attempt.lease);
      expect(await store.acquire('alice', 'k', 'c', ttlMs)).toEqual({ kind: 'running' });
    });

    test('ended leases of starts are removed, and those of sessions remain', async () => {
      const session = sessionRecord();
      await sessions.insert({ session, appData: noChange, events: [] });
      await sessions.acquire(session.sessionId, 'a', ttlMs);
      for (let at = 0; at < 5; at++) {
        const attempt = await store.acquire('alice', `k${at}`, 'a', ttlMs);
        // Every other lease was left by a crashed gateway.
        if (attempt.kind === 'acquired' && at % 2 === 0) await store.release(attempt.lease);
      }
      expect(await opened.leases()).toBe(6);
      await opened.advance(ttlMs + 59_000);
      await store.forgetEnded(10);
      expect(await opened.leases()).toBe(6);
      await opened.advance(2_000);
      await store.acquire('alice', 'running', 'a', ttlMs);
      await store.forgetEnded(3);
      expect(await opened.leases()).toBe(4);
      await store.forgetEnded(10);
      expect(await opened.leases()).toBe(2);
    });
  });
}
