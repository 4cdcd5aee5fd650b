/** The comparison of gateways with the model finds records that are missing, duplicated or wrong. */

import { expect, test } from 'bun:test';
import { createSimBridge, type SimBridge } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import { confirmations } from './bridge-gateways.ts';
import { createBridgeWalk } from './bridge-walk.ts';
import { countOf, differences } from './differences.ts';
import { type Expected, expectedView } from './expected.ts';
import type { SeenRecord, SeenView } from './seen.ts';

function history(seed: number): SimBridge {
  const bridge = createSimBridge({ seed });
  const walk = createBridgeWalk(bridge);
  for (let step = 0; step < 40; step++) {
    walk.step();
    if (step % 6 === 5) walk.reorganize();
  }
  bridge.derive();
  return bridge;
}

/** The view of a gateway without a fault. */
function faultless(bridge: SimBridge): SeenView {
  const { deposits, withdrawals, swaps } = expectedView(bridge, confirmations);
  const reported = (all: readonly Expected[], idName: string, own: (key: string) => object): readonly SeenRecord[] =>
    all.map(({ key, statuses, members }, nth) => ({
      ...{ [idName]: `${idName} ${nth}`, status: statuses[0] ?? '' },
      ...{ ...members, ...own(key) },
    }));
  const seen = {
    deposits: reported(deposits, 'depositId', (key) => {
      const [l1TransactionHash, index] = key.split(' ');
      return { l1TransactionHash, l1LogIndex: Number(index) };
    }),
    withdrawals: reported(withdrawals, 'withdrawalId', (withdrawalHash) => ({ withdrawalHash })),
  };
  const entry = (id: unknown, { status }: SeenRecord) => ({ id, status, type: 'transfer' });
  return {
    ...seen,
    history: [
      ...seen.deposits.map((record) => entry(record['depositId'], record)),
      ...seen.withdrawals.map((record) => entry(record['withdrawalId'], record)),
      ...reported(swaps, 'id', (key) => ({ type: 'swap', transactions: [{ hash: key.split(' ')[0] }] })),
    ],
  };
}

test('a faultless view has no differences; each missing, duplicated or wrong record is one', () => {
  let records = 0;
  for (const seed of [1, 2]) {
    const bridge = history(seed);
    const seen = faultless(bridge);
    expect(differences(bridge, seen, confirmations)).toEqual({ gaps: [], doubles: [], wrong: [] });
    for (const name of ['deposits', 'withdrawals', 'history'] as const)
      for (const [at, record] of seen[name].entries()) {
        // One of a few: each takes a model of the whole history.
        if (records++ % 4 > 0) continue;
        const others = seen[name].toSpliced(at, 1);
        const changed = (list: readonly SeenRecord[]) => differences(bridge, { ...seen, [name]: list }, confirmations);
        expect(changed(others).gaps).not.toBeEmpty();
        expect(changed([...seen[name], record]).doubles).not.toBeEmpty();
        expect(countOf(changed([...others, { ...record, status: 'other' }]))).toBeGreaterThan(0);
      }
  }
  expect(records).toBeGreaterThan(60);
});

test('a record of a lost block must not look like one of the chain', () => {
  const bridge = createSimBridge({ seed: 8 });
  bridge.mine('l1', 3);
  const from = `0x${'a1'.repeat(20)}`;
  bridge.deposit({ from, to: from, amount: 1n });
  bridge.mine('l1');
  bridge.derive();
  const { deposits } = faultless(bridge);
  bridge.reorganize('l1', 2);
  bridge.derive();
  const reported = (record: object) =>
    differences(
      bridge,
      {
        deposits: deposits.map((each) => ({ ...each, ...record })),
        withdrawals: [],
        history: deposits.map((each) => ({ ...each, ...record, id: each['depositId'] })),
      },
      confirmations,
    ).wrong.length;
  expect(reported({})).toBe(1);
  expect(reported({ status: 'pending' })).toBe(0);
  expect(reported({ status: 'failed', failureReason: 'reorganised' })).toBe(1);
  // Its nonce is used: it can no longer be mined.
  bridge.deposit({ from, to: from, amount: 2n, kind: 'portal' });
  bridge.mine('l1');
  const isSpent = { status: 'failed', failureReason: 'reorganised' };
  expect(reported({ status: 'pending' })).toBe(1);
  expect(reported(isSpent)).toBe(0);
});
