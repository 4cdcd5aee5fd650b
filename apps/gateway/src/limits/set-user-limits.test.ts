import { expect, test } from 'bun:test';
import { actorNamed } from '../../test/fixtures/audited.ts';
import type { AuditNote } from '../audit/audit-note.ts';
import { setUserLimits } from './set-user-limits.ts';

function parts(outcome: 'set' | 'full') {
  const notes: AuditNote[] = [];
  let changes = 0;
  return {
    notes,
    changes: () => changes,
    limitsStore: {
      set: async (_user: string, _limits: object, _limit: number, note: AuditNote) => {
        notes.push(note);
        return outcome;
      },
      remove: async (_user: string, note: AuditNote) => void notes.push(note),
    },
    limitsChanged: async () => {
      changes += 1;
    },
  };
}

test('with too many users with limits of their own, the answer is a conflict with their number, and nothing changes', async () => {
  const full = parts('full');
  const answer = await setUserLimits(full, actorNamed('root'), 'bob', { nodes: 3 });
  expect(answer).toMatchObject({ ok: false, reason: 'conflict', detail: expect.stringContaining('10000') });
  expect(full.changes()).toBe(0);
});

test('a change of limits is audited with its author and user, and an empty change removes the limits', async () => {
  const some = parts('set');
  expect(await setUserLimits(some, actorNamed('root'), 'bob', { nodes: 3, userPerMinute: null })).toEqual({
    ok: true,
    value: { nodes: 3 },
  });
  expect(await setUserLimits(some, actorNamed('root'), 'bob', {})).toEqual({ ok: true, value: {} });
  expect(some.notes.map(({ action, target, details }) => [action, target, details])).toEqual([
    ['limits.set', 'bob', { nodes: 3 }],
    ['limits.removed', 'bob', {}],
  ]);
  expect(some.changes()).toBe(2);
});
