import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { PacedInput } from './paced-input.ts';
import { shareUnits, TurnBudget } from './turn-budget.ts';

/**
 * An input whose parser spends a whole share for each byte; the turn's time is over after `bytesPerTurn` bytes.
 */
function input(bytesPerTurn: number) {
  let nowMs = 0;
  const scheduled: (() => void)[] = [];
  const turns = new TurnBudget({ monotonic: () => nowMs++ }, bytesPerTurn, (run) => scheduled.push(run));
  const events: string[] = [];
  let read = '';
  const made = new PacedInput(turns, (piece, from) => {
    for (let at = from; at < piece.length; ) {
      read += String.fromCharCode(piece[at++] ?? 0);
      if (!turns.spend(shareUnits)) return at;
    }
    return piece.length;
  });
  made.connected({ pause: () => events.push('pause'), resume: () => events.push('resume') });
  return {
    made,
    events,
    read: () => read,
    isScheduled: () => scheduled.length > 0,
    nextTurn: () => {
      for (const run of scheduled.splice(0)) run();
    },
  };
}

test('bytes that fit into the turn are read at once, the rest in later turns, in order, and then the end of the socket', () => {
  const { made, events, read, nextTurn } = input(2);
  made.push(Buffer.from('abcdefgh'));
  expect(read().length).toBeLessThan(8);
  expect(made.isEmpty).toBe(false);
  made.push(Buffer.from('ij'));
  made.after(() => events.push(`ended after ${read()}`));
  for (let turn = 0; events.length === 0 && turn < 20; turn++) {
    const before = read().length;
    nextTurn();
    expect(read().length - before).toBeLessThanOrEqual(3);
  }
  expect(events).toEqual(['ended after abcdefghij']);
  made.after(() => events.push('at once'));
  expect(events.at(-1)).toBe('at once');
});

test('the socket is paused while more than 64 KiB wait, and resumed when all bytes are read', () => {
  const { made, events, read, nextTurn, isScheduled } = input(30_000);
  made.push(Buffer.alloc(40_000, 'x'));
  made.push(Buffer.alloc(40_000, 'y'));
  expect(events).toEqual([]);
  made.push(Buffer.alloc(40_000, 'z'));
  expect(events).toEqual(['pause']);
  while (isScheduled()) nextTurn();
  expect(events).toEqual(['pause', 'resume']);
  expect(read().length).toBe(120_000);
});

test('after `close` nothing more is read, and no event follows', () => {
  const { made, events, read, nextTurn, isScheduled } = input(1);
  made.push(Buffer.from('abcdef'));
  made.after(() => events.push('ended'));
  made.close();
  const before = read();
  made.push(Buffer.from('x'));
  while (isScheduled()) nextTurn();
  expect([read(), events]).toEqual([before, []]);
});

test('in pieces and turns of any size, every byte is read once and in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ maxLength: 9 }), fc.boolean())),
      fc.integer({ min: 1, max: 5 }),
      (pieces, max) => {
        const { made, read, nextTurn, isScheduled } = input(max);
        const all = pieces.map(([text]) => Buffer.from(text).toString('latin1')).join('');
        for (const [text, hasTurn] of pieces) {
          if (text !== '') made.push(Buffer.from(text));
          if (hasTurn) nextTurn();
        }
        while (isScheduled()) nextTurn();
        expect(read()).toBe(all);
        expect(made.isEmpty).toBe(true);
      },
    ),
  );
});
