/** The guarantees of `bridge/tokens/token-store.ts` and of the statements that store facts about tokens, as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Lease, LeaseStore } from '@flowgate/sql/coordination/lease-store';
import { noFacts, type RangeFacts } from '../facts/range-facts.ts';
import type { TokenPairFact } from '../facts/token-pair-facts.ts';
import { type TokenPlace, type TokenStore, tokenKey } from './token-store.ts';

export type OpenedTokens = {
  readonly store: TokenStore;
  /** Stores the facts of a range of the stream, or reverts those of blocks above `keep`. */
  readonly storeRange: (facts: RangeFacts, bridgeId: string, place: Omit<TokenPlace, 'address'>) => Promise<void>;
  readonly loseRange: (bridgeId: string, keep: number, upTo?: number) => Promise<void>;
  readonly leases: LeaseStore;
  readonly close: () => Promise<void>;
};

const l2 = { dlt: 'ethereum', networkId: 'l2' };
const nowMs = 1_800_000_000_000;
const address = (digit: string) => `0x${digit.repeat(40)}`;
const placeOf = (digit: string): TokenPlace => ({ ...l2, address: address(digit) });

function pairFact(l1Digit: string, l2Digit: string, blockNumber: number, logIndex = 0): TokenPairFact {
  const hash = `0x${blockNumber.toString(16).padStart(64, '0')}` as const;
  const block = { blockNumber, blockHash: hash, logIndex, blockTimeMs: nowMs };
  return { l1: address(l1Digit), l2: address(l2Digit), transactionHash: hash, nth: 0, ...block };
}

export function tokenStoreContract(engine: string, open: () => Promise<OpenedTokens>): void {
  describe(`token store on ${engine}`, () => {
    let opened: OpenedTokens;
    let store: TokenStore;
    let lease: Lease;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      const attempt = await opened.leases.acquire('bridge main', 'one', 60_000);
      if (!attempt.acquired) throw new Error('the lease was taken');
      lease = attempt.lease;
    });
    afterEach(() => opened.close());

    const learn = (tokenPairs: readonly TokenPairFact[], bridgeId = 'main') =>
      opened.storeRange({ ...noFacts, tokenPairs }, bridgeId, l2);
    const due = async (atMs = nowMs, limit = 100) =>
      (await store.due(l2, atMs, limit)).map(({ dueAtMs: _, ...place }) => place);

    test('a learned pair is found by either token, for its own bridge only; the first that names an L1 token counts', async () => {
      await learn([pairFact('a', '2', 7), pairFact('a', '1', 5, 3), pairFact('a', '3', 5, 1), pairFact('b', '4', 6)]);
      expect(await store.pairOfL2('main', address('1'))).toEqual({ l1: address('a'), l2: address('1') });
      expect(await store.pairOfL1('main', address('a'))).toEqual({ l1: address('a'), l2: address('3') });
      expect(await store.pairOfL1('main', address('b'))).toEqual({ l1: address('b'), l2: address('4') });
      expect(await store.pairOfL1('main', address('1'))).toBeUndefined();
      expect(await store.pairOfL2('main', address('a'))).toBeUndefined();
      expect(await store.pairOfL1('other', address('a'))).toBeUndefined();
      await learn([pairFact('c', '1', 1)], 'other');
      expect(await store.pairOfL2('other', address('1'))).toEqual({ l1: address('c'), l2: address('1') });
      expect(await store.pairOfL2('main', address('1'))).toEqual({ l1: address('a'), l2: address('1') });
    });

    test('a pair is removed with its block and returns in another; stored again it is the same; a range of blocks can be reverted', async () => {
      await learn([pairFact('a', '1', 5), pairFact('a', '2', 6), pairFact('b', '3', 9)]);
      await opened.loseRange('other', 0);
      await opened.loseRange('main', 4, 5);
      expect(await store.pairOfL1('main', address('a'))).toEqual({ l1: address('a'), l2: address('2') });
      await learn([pairFact('a', '1', 8)]);
      await learn([pairFact('a', '1', 8)]);
      expect(await store.pairOfL1('main', address('a'))).toEqual({ l1: address('a'), l2: address('2') });
      await opened.loseRange('main', 7);
      expect(await store.pairOfL2('main', address('1'))).toBeUndefined();
      expect(await store.pairOfL2('main', address('3'))).toBeUndefined();
      expect(await store.pairOfL2('main', address('2'))).toEqual({ l1: address('a'), l2: address('2') });
    });

    test('a range of a thousand pairs is stored, and one with the same token twice', async () => {
      const numbered = (at: number) => `0x${at.toString(16).padStart(40, '0')}`;
      await learn(Array.from({ length: 1_000 }, (_, at) => ({ ...pairFact('a', '1', 5, at), l2: numbered(at) })));
      await learn([pairFact('a', '1', 5), pairFact('b', '1', 5, 1)]);
      expect(await store.pairOfL2('main', numbered(999))).toEqual({ l1: address('a'), l2: numbered(999) });
      expect(await store.pairOfL2('main', address('1'))).toEqual({ l1: address('b'), l2: address('1') });
      expect(await due(nowMs, 2_000)).toHaveLength(1_001);
    });

    test('a token of a record is read once; then it is described, here and until it is due again', async () => {
      await learn([pairFact('a', '1', 5), pairFact('a', '2', 6)]);
      await learn([pairFact('a', '1', 5)]);
      expect(new Set(await due())).toEqual(new Set([placeOf('1'), placeOf('2')]));
      expect(await due(nowMs, 1)).toHaveLength(1);
      expect(await store.due({ ...l2, networkId: 'l1' }, nowMs, 10)).toEqual([]);
      await store.settle([{ ...placeOf('1'), symbol: 'ONE', decimals: 6 }, placeOf('2')], nowMs + 10, lease);
      expect(await due(nowMs + 9)).toEqual([]);
      const known = await store.describe([placeOf('1'), placeOf('1'), placeOf('2'), placeOf('9')]);
      expect(known.get(tokenKey(placeOf('1')))).toEqual({ symbol: 'ONE', decimals: 6 });
      expect(known.get(tokenKey({ ...l2, address: address('2') }))).toEqual({});
      expect(known.size).toBe(2);
      await learn([pairFact('a', '1', 7), pairFact('a', '3', 8)]);
      expect(await due(nowMs + 10)).toEqual([placeOf('3'), ...(await due(nowMs + 10)).slice(1)]);
      expect(await due(nowMs + 10)).toHaveLength(3);
      await store.settle([{ ...placeOf('1'), decimals: 0 }], nowMs + 20, lease);
      expect((await store.describe([placeOf('1')])).get(tokenKey(placeOf('1')))).toEqual({ decimals: 0 });
    });

    test('a token that did not answer retains its known values, and counts as checked', async () => {
      await learn([pairFact('a', '1', 5), pairFact('a', '2', 6)]);
      expect((await store.due(l2, nowMs, 9)).map(({ dueAtMs }) => dueAtMs)).toEqual([0, 0]);
      await store.settle([{ ...placeOf('1'), symbol: 'ONE', decimals: 6 }], nowMs + 10, lease);
      await store.putOff([{ ...placeOf('1'), decimals: 7 }, placeOf('2')], nowMs + 20, lease);
      expect(await due(nowMs + 19)).toEqual([]);
      expect((await store.due(l2, nowMs + 20, 9)).map(({ dueAtMs }) => dueAtMs)).toEqual([nowMs + 20, nowMs + 20]);
      const known = await store.describe([placeOf('1'), placeOf('2')]);
      expect(known.get(tokenKey(placeOf('1')))).toEqual({ symbol: 'ONE', decimals: 7 });
      expect(known.get(tokenKey(placeOf('2')))).toEqual({});
      await store.settle([], nowMs, lease);
      await store.putOff([], nowMs, lease);
    });

    test('addresses are found in any letter case, and no tokens need no query', async () => {
      await learn([pairFact('a', 'c', 5)]);
      const upper = { ...l2, address: `0x${'C'.repeat(40)}` };
      await store.settle([{ ...upper, symbol: 'C' }], nowMs, lease);
      expect((await store.describe([upper])).get(tokenKey(upper))).toEqual({ symbol: 'C' });
      expect((await store.describe([])).size).toBe(0);
    });

    test('a replaced leader stores nothing', async () => {
      await learn([pairFact('a', '1', 5)]);
      await opened.leases.release(lease);
      const next = await opened.leases.acquire('bridge main', 'two', 60_000);
      expect(next.acquired).toBe(true);
      await store.settle([{ ...placeOf('1'), symbol: 'OLD' }], nowMs + 10, lease);
      expect(await due()).toEqual([placeOf('1')]);
      expect((await store.describe([placeOf('1')])).get(tokenKey(placeOf('1')))).toEqual({});
    });
  });
}
