import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { testBridge } from '../../../test/fixtures/deposit-follower.ts';
import { ChainAway, type ChainReader } from '../chain/chain-reader.ts';
import { checkWithin, createStalledCheck } from './check-stalled.ts';
import type { DepositRecord } from './deposit.ts';
import { readL2Receipt } from './deposit-settler.ts';
import { readTransaction, stalledReason } from './stalled-reason.ts';

const receipt = (status: string) => ({ blockNumber: '0x64', status });
const reported = { hash: '0x1' };

/** Head, receipt and transaction as a node returns them, the L1 block that L2 has reached, and the resulting sentence. 3 confirmations are required. */
const table = [
  ['0x64', null, null, 5, 'The node of L1 that was asked does not know the transaction.'],
  ['0x64', null, reported, 5, 'The transaction is pending on L1: no block includes it yet.'],
  ['0x70', receipt('0x0'), reported, 5, 'The transaction reverted in L1 block 100.'],
  ['0x64', receipt('0x1'), reported, 5, 'L1 block 100 includes the transaction, with 1 of 3 confirmations.'],
  ['0x65', receipt('0x1'), reported, 5, 'L1 block 100 includes the transaction, with 2 of 3 confirmations.'],
  [
    ...(['0x66', receipt('0x1'), reported, 5] as const),
    'L1 block 100 includes the transaction and is confirmed. L2 has not derived the deposit yet: its L1 origin is block 5, 95 blocks behind.',
  ],
  [
    ...(['0x66', receipt('0x1'), reported, 99] as const),
    'L1 block 100 includes the transaction and is confirmed. L2 has not derived the deposit yet: its L1 origin is block 99, 1 block behind.',
  ],
  [
    ...(['0x66', receipt('0x1'), reported, 100] as const),
    'L1 block 100 includes the transaction and is confirmed. L2 has derived the deposit, since its L1 origin is block 100, but the gateway has not read how it ended.',
  ],
  [
    ...(['0x66', receipt('0x1'), reported, undefined] as const),
    'L1 block 100 includes the transaction and is confirmed. L2 does not report its L1 origin.',
  ],
  // A node that answers with an error or with another form yields no result.
  ['0x66', undefined, undefined, 5, undefined],
  ['0x66', undefined, null, 5, undefined],
  ['0x66', null, undefined, 5, undefined],
  ['0x66', { blockNumber: 'x', status: '0x1' }, reported, 5, undefined],
] as const;

test.each(table)(
  'head %p, receipt %p, transaction %p, L2 at %p: %p (contract/deposits#stalled)',
  (head, mined, sent, l2Origin, reason) => {
    expect(stalledReason(readTransaction(head, mined, sent), { confirmations: 3, l2Origin })).toBe(reason as string);
  },
);

test('a receipt on L2 counts when it belongs to the transaction, has a block, and has a status', () => {
  const hash = `0x${'a'.repeat(64)}`;
  const whole = { transactionHash: hash, blockNumber: '0x5', blockHash: `0x${'B'.repeat(64)}`, status: '0x1' };
  const there = { kind: 'there', block: 5, blockHash: `0x${'b'.repeat(64)}`, isSuccess: true } as const;
  expect(readL2Receipt(whole, hash)).toEqual(there);
  expect(readL2Receipt({ ...whole, status: '0x0' }, hash)).toEqual({ ...there, isSuccess: false });
  expect(readL2Receipt(null, hash)).toEqual({ kind: 'absent' });
  const unclear = [
    ...[undefined, 7, 'x', {}, { ...whole, transactionHash: '0x1' }, { ...whole, blockNumber: 5 }],
    ...[
      { ...whole, blockNumber: null },
      { ...whole, blockHash: null },
      { ...whole, status: null },
    ],
  ];
  for (const answer of unclear) expect(readL2Receipt(answer, hash)).toEqual({ kind: 'unclear' });
});

const stalled = {
  ...{ depositId: 'dep_1', bridgeId: 'main', transactionHash: '0x1', status: 'pending', statusChangedAtMs: 0 },
} as DepositRecord;
const nowMs = testBridge.stalledAfterMs;

function checkBy(ask: ChainReader['ask']) {
  const noted: string[] = [];
  let claims = 0;
  const check = createStalledCheck({
    bridges: [testBridge],
    store: {
      claimChecks: async (ids) => {
        claims += 1;
        return new Set(ids);
      },
      storeReasons: async (reasons) => {
        noted.push(...reasons.map(({ reason }) => reason));
      },
    },
    chainOf: () => ({ ask }),
  });
  return { check, noted, claims: () => claims };
}

test('a deposit that is not stalled is not checked and makes no call', async () => {
  const { check, claims } = checkBy(() => Promise.reject(new Error('asked')));
  expect(
    (
      await check(
        [
          { ...stalled, status: 'completed' },
          { ...stalled, statusChangedAtMs: 1 },
        ],
        nowMs,
      )
    ).size,
  ).toBe(0);
  expect(claims()).toBe(0);
});

test('a chain that is away yields no result', async () => {
  const { check, noted } = checkBy(() => Promise.reject(new ChainAway('away')));
  expect([await check([stalled], nowMs), noted]).toEqual([new Map(), []]);
});

test('a slow node does not delay a read; its answer is stored for the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
  const { check, noted } = checkBy(() => promise);
  expect(await checkWithin(check, 1)([stalled], nowMs)).toEqual(new Map());
  expect(noted).toEqual([]);
  resolve(['0x66', null, null]);
  await until(() => noted.length > 0);
  expect(noted).toEqual(['The node of L1 that was asked does not know the transaction.']);
});

test('a storage that fails meanwhile does not fail a read', async () => {
  const failing = checkWithin(() => Promise.reject(new Error('no storage')), 1_000);
  expect(await failing([stalled], nowMs)).toEqual(new Map());
});
