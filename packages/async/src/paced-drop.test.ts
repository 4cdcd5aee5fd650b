import { expect, test } from 'bun:test';
import { PacedDrop } from './paced-drop.ts';
import { TurnBudget } from './turn-budget.ts';

test('a few of a hundred sockets whose bytes are dropped are read in each turn', () => {
  const scheduled: (() => void)[] = [];
  let nowMs = 0;
  const turns = new TurnBudget({ monotonic: () => nowMs }, 2, (run) => scheduled.push(run));
  const pieceBytes = 524_288;
  let open = 0;
  const drops = Array.from({ length: 100 }, () => {
    const each = { isPaused: false, drop: (_bytes: number) => {}, close: () => {} };
    const drop = new PacedDrop(turns, {
      pause: () => {
        each.isPaused = true;
      },
      resume: () => {
        each.isPaused = false;
        open++;
      },
    });
    return Object.assign(each, { drop: (bytes: number) => drop.drop(bytes), close: () => drop.close() });
  });
  // Receiving half a MiB takes 0.1 ms.
  const deliver = () => {
    for (const each of drops) {
      if (each.isPaused) continue;
      each.drop(pieceBytes);
      nowMs += 0.1;
    }
  };
  deliver();
  expect(drops.filter(({ isPaused }) => isPaused).length).toBeGreaterThan(70);
  for (let turn = 0; turn < 50; turn++) {
    open = 0;
    for (const run of scheduled.splice(0)) run();
    expect(open).toBeLessThanOrEqual(9);
    deliver();
  }
  for (const each of drops) each.close();
  open = 0;
  for (const run of scheduled.splice(0)) run();
  expect(open).toBe(0);
});
