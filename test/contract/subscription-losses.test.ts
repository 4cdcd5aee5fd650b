/**
 * Subscriptions while nodes are lost and chains are reorganized: a part of what `FLOWGATE_LOSSES=1000
 * FLOWGATE_LOSSES_SEED=7 npx bun test subscription-losses` plays (contract/subscriptions#order).
 */

import { expect, test } from 'bun:test';
import { headerOf, logsOf } from '../../apps/gateway/test/fixtures/sim-block.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { replayHeads, replayLogs, wantedLogs } from '../../apps/gateway/test/fixtures/subscription-client.ts';
import { playLosses } from '../../apps/gateway/test/fixtures/subscription-losses.ts';

const events = Number(process.env['FLOWGATE_LOSSES'] ?? 40);
const seed = Number(process.env['FLOWGATE_LOSSES_SEED'] ?? 11);

test(`no notification is missing, repeated or out of order over ${events} losses of nodes and reorganizations`, async () => {
  const figures = await playLosses({ seed, events, subscribers: 100, hurry: 10 });
  if (events > 100) console.log(figures);
  expect(figures.wrong).toEqual([]);
  // All subscriptions may be lost once: when a reorganization coincides with a time in which no node returns the blocks
  // below the head.
  expect(figures.lost).toBeLessThanOrEqual(100);
  expect(figures.reported).toBeGreaterThan(events * 50);
  expect(figures.losses + figures.reorganizations).toBeGreaterThan(events / 2);
}, 600_000);

test('the test client detects a missing, repeated or misordered notification', () => {
  const chain = createSimChain({ seed: 4, logs: 5 });
  chain.mine(3);
  const start = chain.head();
  chain.mine(4);
  const blocks = [4, 5, 6, 7].flatMap((number) => chain.at().byNumber(number) ?? []);
  const heads = blocks.map(headerOf);
  const logs = blocks.flatMap((block) => logsOf(block));
  expect(replayHeads(heads, start).at(-1)).toBe(chain.head().hash);
  expect(replayLogs(logs, start, {})).toEqual(wantedLogs(chain.head(), {}));
  expect(() => replayHeads(heads.toSpliced(1, 1), start)).toThrow('does not connect');
  expect(() => replayHeads([...heads, ...heads.slice(-1)], start)).toThrow('twice');
  expect(replayLogs(logs.toSpliced(2, 1), start, {})).not.toEqual(wantedLogs(chain.head(), {}));
  expect(() => replayLogs([...logs, ...logs.slice(-1)], start, {})).toThrow('twice');
  const removed = logs.map((log) => ({ ...log, removed: true }));
  expect(() => replayLogs([...logs, ...removed.slice(0, 1)], start, {})).toThrow('out of order');
  expect(replayLogs([...logs, ...removed.toReversed()], start, {})).toEqual(wantedLogs(start, {}));
});
