import { expect, test } from 'bun:test';
import { shareUnits, TurnBudget, turnUnits, type WaitingReader } from './turn-budget.ts';

/** A budget of 2 ms whose clock and turns the test advances. */
function budget() {
  let nowMs = 0;
  let clockReads = 0;
  const scheduled: (() => void)[] = [];
  const monotonic = () => {
    clockReads++;
    return nowMs;
  };
  const turns = new TurnBudget({ monotonic }, 2, (run) => scheduled.push(run));
  return {
    turns,
    clockReads: () => clockReads,
    scheduled: () => scheduled.length,
    advance: (ms: number) => {
      nowMs += ms;
    },
    nextTurn() {
      for (const run of scheduled.splice(0)) run();
    },
  };
}

/** Reads `left` units in steps of a share; `order` records the name of each step's reader. */
function reader(turns: TurnBudget, name: string, left: number, order: string[], step = () => {}): WaitingReader {
  const self = {
    continueReading() {
      while (left > 0) {
        order.push(name);
        step();
        left -= shareUnits;
        if (!turns.spend(shareUnits) && left > 0) {
          turns.waitToContinue(self);
          return;
        }
      }
    },
  };
  return self;
}

test('small reads read the clock once per share of work, and schedule nothing before', () => {
  const { turns, clockReads, scheduled } = budget();
  for (let nth = 0; nth < 100; nth++) {
    expect(turns.begin(160)).toBe(true);
    expect(turns.spend(100)).toBe(true);
  }
  expect([clockReads(), scheduled()]).toEqual([0, 0]);
  for (let nth = 0; nth < 100; nth++) turns.begin(160);
  expect(clockReads()).toBeLessThan(2);
});

test('a reader alone continues until the time of the turn is over; then no reader begins until the next turn', () => {
  const { turns, advance, nextTurn } = budget();
  expect(turns.begin(1)).toBe(true);
  expect(turns.spend(shareUnits)).toBe(true);
  advance(1.9);
  expect(turns.spend(shareUnits)).toBe(true);
  advance(0.1);
  expect(turns.spend(shareUnits)).toBe(false);
  expect(turns.begin(1)).toBe(false);
  nextTurn();
  expect(turns.begin(1)).toBe(true);
});

test('time in which nothing was read does not count', () => {
  const { turns, advance, nextTurn } = budget();
  turns.begin(1);
  turns.spend(shareUnits);
  nextTurn();
  advance(1_000);
  turns.begin(1);
  expect(turns.spend(shareUnits)).toBe(true);
});

test('waiting readers take turns, a share each, in order', () => {
  const { turns, nextTurn } = budget();
  const order: string[] = [];
  for (const name of ['a', 'b', 'c']) turns.waitToContinue(reader(turns, name, 3 * shareUnits, order));
  nextTurn();
  expect(order.join('')).toBe('abcabcabc');
});

test('readers that begin precede those that continue, which still get their turn', () => {
  const { turns, nextTurn, advance } = budget();
  const order: string[] = [];
  const slow = () => advance(1);
  turns.waitToContinue(reader(turns, 'L', 3 * shareUnits, order, slow));
  turns.waitToContinue(reader(turns, 'M', 3 * shareUnits, order, slow));
  for (let nth = 0; nth < 6; nth++) {
    turns.waitToBegin(reader(turns, 's', shareUnits, order, slow));
    nextTurn();
  }
  expect(order.join('')).toBe('LssMLssMLssM');
});

test('when each step takes the whole turn, readers of both kinds are served', () => {
  const { turns, nextTurn, advance } = budget();
  const order: string[] = [];
  for (const name of ['L', 'M']) turns.waitToContinue(reader(turns, name, 9 * shareUnits, order, () => advance(5)));
  for (const name of ['a', 'b', 'c']) turns.waitToBegin(reader(turns, name, shareUnits, order, () => advance(5)));
  for (let turn = 0; turn < 6; turn++) nextTurn();
  expect(order.join('')).toBe('LaMbLc');
});

test('a turn of waiting readers ends after its units, even when the clock does not advance, and the next data waits behind them', () => {
  const { turns, nextTurn } = budget();
  const order: string[] = [];
  for (let nth = 0; nth < 100; nth++) turns.waitToContinue(reader(turns, 'x', shareUnits, order));
  nextTurn();
  expect(order.length).toBe(turnUnits / shareUnits);
  expect(turns.begin(1)).toBe(false);
  for (let turn = 0; turn < 10; turn++) nextTurn();
  expect(order.length).toBe(100);
  expect(turns.begin(1)).toBe(true);
});

test('a reader that has left is not called; one that throws does not stop the others', () => {
  const { turns, nextTurn } = budget();
  const order: string[] = [];
  const gone = reader(turns, 'gone', shareUnits, order);
  turns.waitToContinue(gone);
  turns.waitToBegin(gone);
  turns.leave(gone);
  turns.waitToContinue({
    continueReading() {
      throw new Error('a bug');
    },
  });
  turns.waitToContinue(reader(turns, 'a', shareUnits, order));
  expect(nextTurn).toThrow('a bug');
  nextTurn();
  expect(order).toEqual(['a']);
});
