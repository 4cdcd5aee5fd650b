import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type AskerQueue, createAskerQueue } from './asker-queue.ts';

const wide = { max: 100, maxOfApp: 100, maxOfUser: 100 };
/** `am1` is the first entry of user m with app a. */
const asker = (name: string) => ({ appId: name[0] ?? '', userId: name[1] ?? '' });
const add = (queue: AskerQueue<string>, name: string) => queue.add(asker(name), name);

function served(queue: AskerQueue<string>, msOf: (name: string) => number = () => 10): string[] {
  const order: string[] = [];
  for (let turn = queue.next(); turn !== undefined; turn = queue.next()) {
    expect(turn.asker).toEqual(asker(turn.item));
    order.push(turn.item);
    queue.charge(turn.asker, msOf(turn.item));
  }
  return order;
}

test('apps share the time equally, and so do the users of an app', () => {
  const queue = createAskerQueue<string>(wide);
  for (const name of ['am1', 'am2', 'am3', 'av1', 'bw1', 'bw2']) add(queue, name);
  expect(served(queue)).toEqual(['am1', 'bw1', 'av1', 'bw2', 'am2', 'am3']);
});

test('a user who floods an app does not delay its other users beyond the next turn, regardless of the cost of entries', () => {
  const queue = createAskerQueue<string>({ max: 64, maxOfApp: 16, maxOfUser: 4 });
  const order: string[] = [];
  for (let round = 0; round < 20; round++) {
    for (let at = 0; at < 8; at++) add(queue, `am${round} ${at}`);
    if (round % 5 === 4) expect(add(queue, `av${round}`)).toBe(true);
    const turn = queue.next();
    if (turn === undefined) throw new Error('no entry is waiting');
    order.push(turn.item);
    queue.charge(turn.asker, turn.asker.userId === 'm' ? 1_000 : 10);
  }
  expect(order.flatMap((name, at) => (name.startsWith('av') ? [at] : []))).toEqual([4, 9, 14, 19]);
});

test('waiting entries of a user over all apps, and of an app over all users, are limited, and a removed entry frees its slot', () => {
  const queue = createAskerQueue<string>({ max: 5, maxOfApp: 3, maxOfUser: 2 });
  expect(['am1', 'bm1', 'cm1'].map((name) => add(queue, name))).toEqual([true, true, false]);
  expect(['av1', 'aw1', 'ax1'].map((name) => add(queue, name))).toEqual([true, true, false]);
  expect(['bv1', 'cx1'].map((name) => add(queue, name))).toEqual([true, false]);
  expect([queue.remove(asker('am1'), 'am1'), queue.remove(asker('am1'), 'am1')]).toEqual([true, false]);
  expect([queue.remove(asker('zz1'), 'zz1'), add(queue, 'am2'), add(queue, 'cx1')]).toEqual([false, true, false]);
  expect(served(queue).toSorted()).toEqual(['am2', 'av1', 'aw1', 'bm1', 'bv1']);
  expect(['am1', 'bm1', 'cm1'].map((name) => add(queue, name))).toEqual([true, true, false]);
});

test('over random operations, every entry that was added and not removed is served once', () => {
  const acts = fc.array(
    fc.record({
      act: fc.constantFrom('add', 'add', 'remove', 'serve'),
      app: fc.constantFrom('a', 'b'),
      user: fc.constantFrom('m', 'v', 'w'),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(acts, (all) => {
      const queue = createAskerQueue<string>({ max: 8, maxOfApp: 6, maxOfUser: 3 });
      const there = new Set<string>();
      for (const [at, { act, app, user }] of all.entries()) {
        const name = `${app}${user}${at}`;
        const known = [...there].find((each) => each.startsWith(app + user));
        const ofUser = [...there].filter((each) => each[1] === user).length;
        const ofApp = [...there].filter((each) => each[0] === app).length;
        if (act === 'add') {
          const hasRoom = there.size < 8 && ofApp < 6 && ofUser < 3;
          expect(add(queue, name)).toBe(hasRoom);
          if (hasRoom) there.add(name);
        } else if (act === 'remove' && known !== undefined) {
          expect(queue.remove(asker(known), known)).toBe(true);
          there.delete(known);
        } else if (act === 'serve') {
          const turn = queue.next();
          expect(turn === undefined).toBe(there.size === 0);
          if (turn === undefined) continue;
          expect(there.delete(turn.item)).toBe(true);
          queue.charge(turn.asker, at);
        }
      }
      expect(served(queue).toSorted()).toEqual([...there].toSorted());
    }),
  );
});
