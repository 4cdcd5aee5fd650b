import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { quietLog } from '@flowgate/testing/quiet-log';
import { openFlowUses, startedSession } from '../../../test/fixtures/flow-uses.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { removeEndedSessions, removeOldSessions } from './remove-ended-sessions.ts';
import type { RetentionStore } from './retention-store.ts';
import { cancelSession } from './session-routes.ts';
import { createSqlRetentionStore } from './sql-retention-store.ts';

const dayMs = 86_400_000;
const never = new AbortController().signal;

onEveryEngine((_, open) => {
  test('an ended session is retained for its time after its end, regardless of its age; an active one is never removed', async () => {
    const opened = await open();
    const uses = await openFlowUses(opened);
    const store = createSqlRetentionStore(opened.database);
    const parts = { store, retentionMs: 2 * dayMs, fullBytes: 2 ** 40, clock: uses.clock, log: quietLog() };
    const start = async () => (await startedSession(uses.process())).sessionId;
    const [ended, active] = [await start(), await start()];
    await uses.advance(uses.sessionTtlMs / 2);
    await cancelSession(uses.process(), 'alice', ended);
    await uses.advance(2 * dayMs - 1);
    expect(await removeOldSessions(parts, never)).toBe(0);
    expect(await uses.events(ended)).toHaveLength(2);
    await uses.advance(1);
    expect(await removeOldSessions(parts, never)).toBe(1);
    expect(await uses.store.find('alice', ended)).toBeUndefined();
    expect(await uses.store.find('alice', active)).toMatchObject({ session: { status: 'active' } });
    expect(await removeOldSessions(parts, never)).toBe(0);
    expect([await uses.events(ended), await uses.events(active)]).toEqual([[], ['1 session_created']]);
    await uses.close();
  });
});

/** A store with a number of sessions, each of which takes two calls to clear; call number `stopAt` aborts `stop`. */
function counted(sessions: number, stopAt = Number.POSITIVE_INFINITY) {
  const stop = new AbortController();
  const calls: string[] = [];
  let [left, remains] = [sessions, 0];
  const called = (name: string) => {
    if (calls.push(name) === stopAt) stop.abort();
  };
  const store: RetentionStore = {
    async removeEnded(_, limit) {
      called('remove');
      const removed = Math.min(left, limit, 30);
      left -= removed;
      remains = removed > 0 ? 2 : 0;
      return removed;
    },
    async removeOfFull() {
      called('full');
      return 0;
    },
    async clearRemains() {
      called('clear');
      remains -= 1;
      return remains >= 0;
    },
  };
  const parts = { store, retentionMs: dayMs, fullBytes: 1, clock: createManualClock(), log: quietLog() };
  return { parts, calls, stop };
}

test('a round continues until no old session is left, and clears the remains of a batch before it removes more sessions', async () => {
  const { parts, calls } = counted(50);
  expect(await removeOldSessions(parts, never)).toBe(50);
  const batch = ['clear', 'clear', 'clear', 'remove'];
  expect(calls).toEqual(['clear', 'remove', ...batch, ...batch, 'full']);
});

test('the job stops at the signal, between any two calls and in the pause between rounds', async () => {
  for (const stopAt of [1, 2, 3, 6, 10]) {
    const { parts, calls, stop } = counted(50, stopAt);
    await removeEndedSessions(parts, stop.signal);
    expect(calls).toHaveLength(stopAt);
  }
});
