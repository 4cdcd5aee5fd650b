import { expect, test } from 'bun:test';
import { createRangeSize } from './range-size.ts';

test('ranges grow to the allowed size, and never to more headers than fit into memory', () => {
  for (const [allowed, max] of [
    [1, 1],
    [2_000, 2_000],
    [1_000_000, 10_000],
  ] as const) {
    const size = createRangeSize(allowed);
    for (let read = 0; read < 50; read++) size.read({ blocks: size.now(), logs: 0, bytes: 2 });
    expect(size.now()).toBe(max);
  }
});
