import { expect, test } from 'bun:test';
import { classifyDeployment, followedBlocks, type Sighting } from './classify-deployment.ts';
import type { DeploymentRecord, DeploymentState } from './deployment.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 1_800_000_000_000;
const [blockA, blockB] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`];
const fresh: DeploymentRecord = {
  deploymentId: 'dep_1',
  userId: 'alice',
  dlt: 'ethereum',
  networkId: 'dev',
  transactionHash: `0x${'1'.repeat(64)}`,
  deployer: `0x${'2'.repeat(40)}`,
  nonce: '3',
  address: `0x${'4'.repeat(40)}`,
  status: 'pending',
  unseenSinceMs: startMs,
  dueAtMs: startMs,
  claims: 1,
  createdAtMs: startMs,
};
const minedIn = (blockNumber: number, blockHash = blockA, succeeded = true): Sighting => ({
  kind: 'mined',
  ...{ blockNumber, blockHash, succeeded },
});
const missing = (more: Partial<Omit<Sighting & { kind: 'missing' }, 'kind'>> = {}): Sighting => ({
  kind: 'missing',
  ...{ isKnown: false, isNonceUsed: false, isBlockGone: false },
  ...more,
});
const unclear: Sighting = { kind: 'unclear' };

/** The states after a sequence of observations, by default ten minutes apart. */
function walk(
  looks: readonly (readonly [sighting: Sighting, head: number | undefined, atMs?: number])[],
  { confirmations = 12, from = fresh }: { confirmations?: number; from?: DeploymentRecord } = {},
): DeploymentState[] {
  let record = from;
  return looks.map(([sighting, head, atMs], nth) => {
    const chain = head === undefined ? undefined : { head, confirmations };
    const state = classifyDeployment(record, sighting, chain, startMs + (atMs ?? nth * 600_000));
    const { status: _, failureReason: __, blockNumber: ___, blockHash: ____, ...rest } = record;
    const { unseenSinceMs: _a, settledAtMs: _b, settledBlock: _c, dueAtMs: _d, ...identity } = rest;
    record = { ...identity, ...state };
    return state;
  });
}
const reported = ({ status, failureReason, blockNumber }: DeploymentState) =>
  [status, failureReason, blockNumber].filter((each) => each !== undefined).join(' ');

test('deployed at the last of its confirmations, the first of which is the block that contains it (contract/contracts#deployed)', () => {
  const looks = [100, 110, 111].map((head) => [minedIn(100), head] as const);
  expect(walk(looks).map(reported)).toEqual(['pending 100', 'pending 100', 'deployed 100']);
  expect(walk([[minedIn(100), 100]], { confirmations: 1 }).map(reported)).toEqual(['deployed 100']);
});

test('a reverted deployment fails at the same depth', () => {
  const looks = [110, 111].map((head) => [minedIn(100, blockA, false), head] as const);
  expect(walk(looks).map(reported)).toEqual(['pending 100', 'failed reverted 100']);
});

test('followed for 64 more blocks after it is settled', () => {
  const settled = 111;
  const states = walk([
    [minedIn(100), settled],
    [minedIn(100), settled + followedBlocks - 1],
    [minedIn(100), settled + followedBlocks],
  ]);
  expect(states.map(({ dueAtMs }) => dueAtMs !== undefined)).toEqual([true, true, false]);
  expect(states.map(reported)).toEqual(['deployed 100', 'deployed 100', 'deployed 100']);
  const replaced = walk([
    [missing({ isNonceUsed: true }), 200],
    [missing({ isNonceUsed: true }), 263],
    [missing({ isNonceUsed: true }), 264],
  ]);
  expect(replaced.map((state) => [reported(state), state.dueAtMs !== undefined])).toEqual([
    ['failed replaced', true],
    ['failed replaced', true],
    ['failed replaced', false],
  ]);
});

test('a deployment on a halted or unavailable chain is followed for a bounded time', () => {
  const leaseState = [0, 6.9 * dayMs, 7 * dayMs].map((atMs) => [minedIn(100), 111, atMs] as const);
  expect(walk(leaseState).map(({ dueAtMs }) => dueAtMs !== undefined)).toEqual([true, true, false]);
  const silent = walk([
    [minedIn(100), 111, 0],
    [unclear, undefined, 7 * dayMs],
  ]);
  expect(silent.map(({ dueAtMs }) => dueAtMs !== undefined)).toEqual([true, false]);
});

test('a reorganization returns it to pending, until it is confirmed in another block', () => {
  expect(
    walk([
      [minedIn(100), 111],
      [missing({ isBlockGone: true, isKnown: true }), 112],
      [minedIn(113, blockB), 114],
      [minedIn(113, blockB), 124],
    ]).map(reported),
  ).toEqual(['deployed 100', 'pending', 'pending 113', 'deployed 113']);
  // From one block to another between two observations.
  expect(walk([[minedIn(100), 111] as const, [minedIn(101, blockB), 111] as const]).map(reported)).toEqual([
    'deployed 100',
    'pending 101',
  ]);
});

test('a lagging or faulty node changes nothing: no receipt while the block exists, an old head, a malformed answer', () => {
  const states = walk([
    [minedIn(100), 111],
    [missing(), 112],
    [missing({ isNonceUsed: true }), 112],
    [minedIn(100), 90],
    [unclear, 112],
    [unclear, undefined],
  ]);
  expect(states.map(reported)).toEqual(Array(6).fill('deployed 100'));
  expect(walk([[minedIn(100), 105] as const, [missing(), 106] as const]).map(reported)).toEqual([
    'pending 100',
    'pending 100',
  ]);
});

test('replaced once another transaction used its nonce, and pending again when that one is reorganized out', () => {
  const looks = walk([
    [missing({ isKnown: true }), 100],
    [missing({ isNonceUsed: true }), 101],
    [missing(), 102],
    [minedIn(103), 120],
  ]);
  expect(looks.map(reported)).toEqual(['pending', 'failed replaced', 'pending', 'deployed 103']);
});

test('dropped after a day in which no node knew it; each sighting restarts the day', () => {
  expect(
    walk([
      [missing(), 100, 0],
      [missing(), 100, dayMs - 1],
      [missing(), 100, dayMs],
    ]).map(reported),
  ).toEqual(['pending', 'pending', 'failed dropped']);
  const seen = walk([
    [missing({ isKnown: true }), 100, 3 * dayMs],
    [missing(), 100, 3 * dayMs + hourMs],
    [missing(), 100, 4 * dayMs],
    [unclear, undefined, 4 * dayMs + hourMs],
    [missing(), 100, 4 * dayMs + hourMs],
    [missing({ isKnown: true }), 101, 4 * dayMs + 2 * hourMs],
  ]);
  expect(seen.map(reported)).toEqual(['pending', 'pending', 'pending', 'pending', 'failed dropped', 'pending']);
  // The replacing transaction says nothing about how long this one was unseen.
  const released = walk([
    [missing({ isNonceUsed: true }), 100, 2 * dayMs],
    [missing(), 101, 2 * dayMs + hourMs],
    [missing(), 102, 3 * dayMs],
  ]);
  expect(released.map(reported)).toEqual(['failed replaced', 'pending', 'pending']);
});

test('the next check is soon for a new deployment, later for an old one, and never immediate', () => {
  const pauseAt = (ageMs: number, sighting: Sighting, head: number | undefined) =>
    (classifyDeployment(fresh, sighting, head === undefined ? undefined : { head, confirmations: 12 }, startMs + ageMs)
      .dueAtMs ?? 0) -
    startMs -
    ageMs;
  expect([0, 60_000, dayMs].map((ageMs) => pauseAt(ageMs, missing({ isKnown: true }), 100))).toEqual([
    1_000, 7_500, 300_000,
  ]);
  expect([0, dayMs].map((ageMs) => pauseAt(ageMs, minedIn(100), 100))).toEqual([1_000, 15_000]);
  expect([0, 30 * dayMs].map((ageMs) => pauseAt(ageMs, minedIn(100), 111))).toEqual([15_000, 600_000]);
  expect([0, dayMs].map((ageMs) => pauseAt(ageMs, unclear, undefined))).toEqual([5_000, 300_000]);
});
