import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { createWaitingBytes, type WaitingBound } from './waiting-bytes.ts';

function scene() {
  const clock = createManualClock();
  const logged: (readonly [string, object | undefined])[] = [];
  const refused: WaitingBound[] = [];
  const log = { warn: (event: string, fields?: object) => void logged.push([event, fields]) };
  const waiting = createWaitingBytes(
    { clock, log, refused: (bound) => refused.push(bound) },
    { totalBytes: 300, ownerBytes: 100 },
  );
  return { clock, logged, refused, waiting };
}

test('each connection without room is counted by the bound that it exceeded; granted bytes are not', () => {
  const { waiting, refused } = scene();
  expect(waiting.take('a', 100)).toBe('granted');
  expect(waiting.take('a', 1)).toBe('owner-full');
  expect([waiting.take('b', 100), waiting.take('c', 60)]).toEqual(['granted', 'granted']);
  expect(waiting.take('d', 50)).toBe('all-full');
  expect(refused).toEqual(['address', 'process']);
  waiting.giveBack('a', 100);
  expect(waiting.reservedBytes).toBe(160);
  expect(waiting.take('d', 50)).toBe('granted');
  expect(refused).toHaveLength(2);
});

test('the first is logged at once, further ones as a number, once a minute', () => {
  const { clock, waiting, logged } = scene();
  waiting.take('a', 100);
  const event = (closed: number) => ['connections.no-room', { bound: 'address', closed, waitingBytes: 100 }] as const;
  for (let nth = 0; nth < 1_000; nth++) waiting.take('a', 1);
  expect(logged).toEqual([event(1)]);
  clock.advance(59_999);
  waiting.take('a', 1);
  expect(logged).toHaveLength(1);
  clock.advance(1);
  waiting.take('a', 1);
  expect(logged).toEqual([event(1), event(1_001)]);
});
