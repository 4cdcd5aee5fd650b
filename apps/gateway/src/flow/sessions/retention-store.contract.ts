/** The guarantees of `flow/sessions/retention-store.ts` as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { EventStore } from '../events/event-store.ts';
import type { PaymentStore } from '../payments/payment-store.ts';
import type { RetentionStore } from './retention-store.ts';
import type { SessionRecord } from './session.ts';
import { sessionRecord } from './session-store.contract.ts';
import type { SessionStore } from './session-store.ts';

export type OpenedRetention = {
  readonly store: RetentionStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: RetentionStore;
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly payments: PaymentStore;
  /** The numbers of rows of responses, of events, of leases, and of sessions whose remains are to be deleted. */
  readonly rows: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

const longTtlMs = 600_000;
const receipt = { success: true as const, transaction: '0xabc', network: 'eip155:1' };
let made = 0;

export function retentionStoreContract(engine: string, open: () => Promise<OpenedRetention>): void {
  describe(`retention on ${engine}`, () => {
    let opened: OpenedRetention;
    let store: RetentionStore;
    let sessions: SessionStore;
    beforeEach(async () => {
      opened = await open();
      ({ store, sessions } = opened);
    });
    afterEach(() => opened.close());

    /** Inserts a session with a first event, and a response and an event for each further transition. The last one ends the session at `endedAtMs`. */
    async function ended(endedAtMs: number, transitions = 1, text = ''): Promise<SessionRecord> {
      let session = sessionRecord({ updatedAtMs: 0 });
      await sessions.insert({ session, appData: { set: { name: 1 }, delete: [] }, events: [eventOf(session)] });
      for (let left = transitions; left > 0; left--) {
        const isLast = left === 1;
        const attempt = await sessions.acquire(session.sessionId, `h${left}`, longTtlMs);
        if (attempt.kind !== 'acquired') throw new Error(`not acquired: ${attempt.kind}`);
        const { stateVersion, lastSequence } = session;
        session = {
          ...session,
          stateVersion: stateVersion + 1,
          lastSequence: lastSequence + 1,
          updatedAtMs: endedAtMs,
        };
        if (isLast) session = { ...session, status: 'completed', state: {} };
        const response = { idempotencyKey: `k${left}`, body: JSON.stringify({ text }), headers: {} };
        const transition = { session, appData: { set: {}, delete: [] }, events: [eventOf(session, text)], response };
        if ((await sessions.commit(attempt.lease, transition)) !== 'committed') throw new Error('not committed');
      }
      return session;
    }
    const isThere = async ({ sessionId }: SessionRecord) => (await sessions.find('alice', sessionId)) !== undefined;
    const clear = async () => {
      let parts = 0;
      while (await store.clearRemains()) parts += 1;
      return parts;
    };

    test('a session that ended before the time is removed with its responses and events; one that ended later or is active remains', async () => {
      const [old, edge, later] = [await ended(1_000, 3), await ended(2_000), await ended(2_001, 2)];
      const active = sessionRecord({ updatedAtMs: 1 });
      await sessions.insert({ session: active, appData: { set: {}, delete: [] }, events: [eventOf(active)] });
      expect(await store.removeEnded(2_000, 10)).toBe(2);
      expect(await Promise.all([old, edge, later, active].map(isThere))).toEqual([false, false, true, true]);
      expect(await store.removeEnded(2_000, 10)).toBe(0);
      await clear();
      expect(await opened.rows()).toEqual([2, 4, 0, 0]);
      expect((await sessions.find('alice', later.sessionId, 'k1'))?.response).toBeDefined();
      expect((await opened.events.eventsAfter(later.sessionId, 0, 10)).events).toHaveLength(3);
      expect((await opened.events.eventsAfter(active.sessionId, 0, 10)).events).toHaveLength(1);
      expect((await sessions.list('alice', {}, { limit: 10 })).records.map(({ sessionId }) => sessionId)).toEqual([
        active.sessionId,
        later.sessionId,
      ]);
      expect((await sessions.appData('alice', 'acme/app')).members).toEqual({ name: 1 });
    });

    test('ended sessions of users above the limit, and of no other, are removed early until they are below it; never active or recently ended ones', async () => {
      const text = 'x'.repeat(10_000);
      const old = [await ended(1_000, 2, text), await ended(1_000, 2, text), await ended(1_000, 2, text)];
      const fresh = await ended(5_000, 2, text);
      const bob = sessionRecord({ userId: 'bob', status: 'completed', updatedAtMs: 1 });
      await sessions.insert({ session: bob, appData: { set: {}, delete: [] }, events: [] });
      expect(await store.removeOfFull(1_000_000, 1_000, 10)).toBe(0);
      // Each has forty kilobytes.
      expect(await opened.other.removeOfFull(140_000, 1_000, 1)).toBe(1);
      expect(await store.removeOfFull(140_000, 1_000, 1)).toBe(0);
      expect(await Promise.all(old.map(isThere))).toEqual([false, true, true]);
      expect(await store.removeOfFull(1_000, 1_000, 10)).toBe(2);
      expect(await store.removeOfFull(1_000, 1_000, 10)).toBe(0);
      expect(await isThere(fresh)).toBe(true);
      expect(await sessions.find('bob', bob.sessionId)).toBeDefined();
    });

    test('sessions that ended first are removed first, up to the limit', async () => {
      const [third, first, second] = [await ended(30), await ended(10), await ended(20)];
      expect(await store.removeEnded(1_000, 2)).toBe(2);
      expect(await Promise.all([first, second, third].map(isThere))).toEqual([false, false, true]);
    });

    test('two concurrent removals and clearings remove each session once, and nothing else', async () => {
      const old = [];
      for (let at = 0; at < 12; at++) old.push(await ended(at, 2));
      const later = await ended(5_000, 2);
      const removals = await Promise.all(
        Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? store : opened.other).removeEnded(1_000, 12)),
      );
      expect(removals.reduce((sum, count) => sum + count, 0)).toBe(12);
      await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? store : opened.other).clearRemains()));
      await clear();
      expect(await opened.rows()).toEqual([2, 3, 0, 0]);
      expect(await isThere(later)).toBe(true);
    });

    test('many or large remains are cleared in several parts', async () => {
      await ended(1, 450);
      expect(await store.removeEnded(1, 1)).toBe(1);
      expect(await clear()).toBe(3);
      await ended(1, 20, 'é'.repeat(120_000));
      expect(await store.removeEnded(1, 1)).toBe(1);
      expect(await clear()).toBeGreaterThan(2);
      expect(await opened.rows()).toEqual([0, 0, 0, 0]);
    });

    test('fewer large sessions are removed at once', async () => {
      for (let at = 0; at < 20; at++) {
        const session = sessionRecord({ status: 'expired', updatedAtMs: at, state: { text: 'x'.repeat(400_000) } });
        await sessions.insert({ session, appData: { set: {}, delete: [] }, events: [] });
      }
      const removed = await store.removeEnded(1_000, 100);
      expect(removed).toBeGreaterThan(0);
      expect(removed).toBeLessThan(10);
      for (let left = 20 - removed; left > 0; ) left -= await store.removeEnded(1_000, 100);
    });

    test('a payment that was or may have been settled remains; a reserved one is removed with its session', async () => {
      const session = await ended(1_000);
      const active = sessionRecord();
      await sessions.insert({ session: active, appData: { set: {}, delete: [] }, events: [] });
      const { payments } = opened;
      const stepOf = (of: SessionRecord, stepId: string) => ({ sessionId: of.sessionId, stateVersion: 1, stepId });
      const reserve = async (of: SessionRecord, stepId: string) => {
        made += 1;
        const requirement = { scheme: 'exact', network: 'eip155:1', asset: '0x1', amount: '1', payTo: '0x2' };
        const payment = { ...stepOf(of, stepId), paymentId: `p${made}`, holder: 'h', requirement };
        await payments.reserve(payment, 1);
        return payment.paymentId;
      };
      await reserve(session, 'reserved');
      await payments.beginSettling(await reserve(session, 'settling'), 'h', undefined, 1);
      await payments.settled(await reserve(session, 'settled'), receipt, 1);
      await reserve(active, 'reserved');
      expect(await store.removeEnded(1_000, 10)).toBe(1);
      await clear();
      expect(await payments.find(stepOf(session, 'reserved'))).toBeUndefined();
      expect(await payments.find(stepOf(session, 'settling'))).toMatchObject({ status: 'settling' });
      expect(await payments.find(stepOf(session, 'settled'))).toMatchObject({ status: 'settled', receipt });
      expect(await payments.find(stepOf(active, 'reserved'))).toBeDefined();
    });

    test('without work a removal and a clearing return at once', async () => {
      expect(await store.removeEnded(1_000_000, 10)).toBe(0);
      expect(await store.clearRemains()).toBe(false);
    });
  });
}

function eventOf(session: SessionRecord, text = '') {
  const { sessionId, appId, version, stateVersion, lastSequence: sequence } = session;
  const data = { sessionId, appId, version, stateVersion, text };
  return { eventId: `evt_${sessionId}_${sequence}`, sessionId, sequence, type: 'step_submitted', atMs: 1, data };
}
