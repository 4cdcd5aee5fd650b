/** The guarantees of `bridge/swaps/swap-store.ts` and of the statements that store swaps of a range and revert them, as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Lease, LeaseStore } from '@flowgate/sql/coordination/lease-store';
import { noFacts } from '../facts/range-facts.ts';
import type { SwapFact } from '../facts/swap-facts.ts';
import type { IndexStore, StreamState } from '../indexing/index-store.ts';
import type { SwapRecord } from './swap.ts';
import type { SwapFinding, SwapStore } from './swap-store.ts';

export type OpenedSwaps = {
  readonly store: SwapStore;
  readonly index: IndexStore;
  /** All stored swaps, by transaction and index. */
  readonly all: () => Promise<readonly SwapRecord[]>;
  readonly leases: LeaseStore;
  readonly close: () => Promise<void>;
};

const streamId = 'swaps/ethereum/l2';
const stream = { streamId, bridgeId: 'swaps', dlt: 'ethereum', networkId: 'l2' };
const nowMs = 1_800_000_000_000;
const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const;
const blockHash = (number: number, fork = 0) => hash(number * 16 + fork);

type Given = { readonly nth?: number; readonly pool?: string; readonly fork?: number; readonly amountIn?: bigint };

function swapFact(
  transaction: number,
  blockNumber: number,
  { nth = 0, pool = 'f', fork = 0, amountIn = 5n }: Given = {},
): SwapFact {
  return {
    ...{ transactionHash: hash(transaction), nth, blockNumber, blockHash: blockHash(blockNumber, fork), logIndex: nth },
    ...{ blockTimeMs: nowMs + blockNumber * 1_000, pool: address(pool), tokenIn: address('1'), tokenOut: address('2') },
    swap: { isZeroIn: true, amountIn, amountOut: 10n ** 30n, sender: address('C'), recipient: address('D') },
    transaction: { from: address('a'), nonce: transaction },
  };
}

export function swapStoreContract(engine: string, open: () => Promise<OpenedSwaps>): void {
  describe(`swap store on ${engine}`, () => {
    let opened: OpenedSwaps;
    let store: SwapStore;
    let lease: Lease;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      const attempt = await opened.leases.acquire('swaps ethereum/l2', 'one', 60_000);
      if (!attempt.acquired) throw new Error('the lease was taken');
      lease = attempt.lease;
      await opened.index.begin(streamId, 1, lease);
    });
    afterEach(() => opened.close());

    async function stateNow(): Promise<StreamState> {
      const [state] = await opened.index.states();
      if (state === undefined) throw new Error('the stream was not begun');
      return state;
    }
    /** Reads blocks up to `to`, on a fork. */
    async function read(to: number, swaps: readonly SwapFact[], fork = 0): Promise<void> {
      const blocks = [{ number: to, hash: blockHash(to, fork) }];
      const range = { stream, state: await stateNow(), to, facts: { ...noFacts, swaps }, blocks, nowMs };
      expect(await opened.index.commit(range, lease)).toBe(true);
    }
    const lose = async (keep: number, atMs = nowMs) =>
      expect(await opened.index.undo(streamId, await stateNow(), keep, atMs, lease)).toBe(true);
    const all = () => opened.all();
    const only = async () => {
      const [record, ...others] = await all();
      if (record === undefined || others.length > 0) throw new Error('there is not one swap');
      return record;
    };
    async function find(finding: SwapFinding, atMs = nowMs): Promise<void> {
      const { swaps } = await store.lost(streamId, atMs, 10);
      await store.settle(
        swaps.map((swap) => ({ swap, finding })),
        await stateNow(),
        lease,
      );
    }

    test('a range of 250 swaps is stored, also with the same swap twice', async () => {
      await read(
        9,
        Array.from({ length: 250 }, (_, at) => swapFact(250 - at, 7)),
      );
      expect((await all()).map(({ transactionHash }) => transactionHash)).toEqual(
        Array.from({ length: 250 }, (_, at) => hash(at + 1)),
      );
      await read(10, [swapFact(251, 10), swapFact(251, 10, { amountIn: 6n })]);
      expect((await all()).at(-1)).toMatchObject({ transactionHash: hash(251), amountIn: '6' });
    });

    test('the values of a swap are stored: addresses in lower case, amounts of any size in full', async () => {
      await read(9, [swapFact(1, 7)]);
      expect(await only()).toEqual({
        swapId: expect.stringMatching(/^swp_/),
        ...{ streamId, pool: address('f'), transactionHash: hash(1), nth: 0 },
        ...{ blockNumber: 7, blockHash: blockHash(7), createdAtMs: nowMs + 7_000, status: 'completed' },
        ...{ from: address('a'), nonce: 1, sender: address('c'), to: address('d') },
        ...{ tokenIn: address('1'), amountIn: '5', tokenOut: address('2'), amountOut: `1${'0'.repeat(30)}` },
      });
    });

    test('several swaps of a transaction, in one pool and in two, are separate records; more than one statement takes', async () => {
      const many = Array.from({ length: 250 }, (_, at) => swapFact(100 + at, 3));
      await read(9, [swapFact(1, 7), swapFact(1, 7, { nth: 1 }), swapFact(1, 7, { pool: 'e' }), ...many]);
      expect(await all()).toHaveLength(253);
      expect(new Set((await all()).map(({ swapId }) => swapId)).size).toBe(253);
    });

    test('its block is lost and it is mined again in another one: the same record, with its new values', async () => {
      await read(9, [swapFact(1, 7), swapFact(2, 5)]);
      const before = await all();
      await lose(6);
      expect((await all()).map(({ lostAtMs }) => lostAtMs)).toEqual([nowMs, undefined]);
      await read(8, [swapFact(1, 8, { fork: 1, amountIn: 6n })], 1);
      const [again, other] = await all();
      expect(other).toEqual(before[1]);
      const place = { blockNumber: 8, blockHash: blockHash(8, 1), createdAtMs: nowMs + 8_000, amountIn: '6' };
      expect(again).toEqual({ ...before[0], ...place } as SwapRecord);
      expect((await store.lost(streamId, nowMs, 10)).swaps).toEqual([]);
    });

    test('lost swaps are due at once, longest first, with the newest block that was read; found, dropped and postponed ones are not', async () => {
      await read(9, [swapFact(1, 7), swapFact(2, 8)]);
      await lose(7);
      await lose(6, nowMs + 1);
      await read(8, [], 1);
      const { swaps, tip } = await store.lost(streamId, nowMs + 1, 10);
      expect(tip).toEqual({ number: 8, hash: blockHash(8, 1) });
      expect(swaps.map(({ nonce, from, lostAtMs }) => [nonce, from, lostAtMs - nowMs])).toEqual([
        [2, address('a'), 0],
        [1, address('a'), 1],
      ]);
      expect((await store.lost(streamId, nowMs, 10)).swaps).toHaveLength(1);
      expect((await store.lost(streamId, nowMs + 1, 1)).swaps).toHaveLength(1);
      expect((await store.lost('swaps/ethereum/other', nowMs + 1, 10)).swaps).toEqual([]);
      await find({ kind: 'unknown', dueAtMs: nowMs + 50 }, nowMs);
      expect((await store.lost(streamId, nowMs + 1, 10)).swaps.map(({ nonce }) => nonce)).toEqual([1]);
      expect((await store.lost(streamId, nowMs + 50, 10)).swaps.map(({ nonce }) => nonce)).toEqual([1, 2]);
      await find({ kind: 'dropped' }, nowMs + 50);
      expect((await store.lost(streamId, Number.MAX_SAFE_INTEGER, 10)).swaps).toEqual([]);
    });

    test('a dropped swap returns under its id when it is mined after all', async () => {
      await read(9, [swapFact(1, 7)]);
      const before = await only();
      await lose(6);
      await find({ kind: 'dropped' });
      expect((await only()).lostAtMs).toBe(nowMs);
      await read(12, [swapFact(1, 12)], 1);
      const { swapId, lostAtMs, status } = await only();
      expect([swapId, lostAtMs, status]).toEqual([before.swapId, undefined, 'completed']);
    });

    test('a swap whose transaction failed in another block is failed until that block is lost, too', async () => {
      await read(9, [swapFact(1, 7)]);
      const { swapId } = await only();
      await lose(6);
      await read(10, [], 1);
      const block = { number: 8, hash: blockHash(8, 1) };
      await find({ kind: 'failed', block, blockTimeMs: nowMs + 1 });
      expect(await only()).toMatchObject({
        ...{ swapId, status: 'failed', blockNumber: 8, blockHash: block.hash, createdAtMs: nowMs + 1 },
      });
      expect((await only()).lostAtMs).toBeUndefined();
      await lose(8, nowMs + 2);
      expect((await only()).lostAtMs).toBeUndefined();
      await lose(7, nowMs + 3);
      expect((await only()).lostAtMs).toBe(nowMs + 3);
      await read(9, [swapFact(1, 9, { fork: 2 })], 2);
      expect(await only()).toMatchObject({ swapId, status: 'completed', blockNumber: 9 });
    });

    test('a finding is not written when the swap was found or lost again meanwhile, blocks were reverted, or the lease was lost', async () => {
      await read(9, [swapFact(1, 7)]);
      await lose(6);
      const { swaps } = await store.lost(streamId, nowMs, 10);
      const stateBefore = await stateNow();
      const findings = (finding: SwapFinding) => swaps.map((swap) => ({ swap, finding }));
      const failed = findings({ kind: 'failed', block: { number: 6, hash: hash(1) }, blockTimeMs: 1 });
      await store.settle(failed, { ...stateBefore, epoch: stateBefore.epoch + 1 }, lease);
      await store.settle(failed, stateBefore, { ...lease, token: lease.token - 1 });
      expect((await only()).lostAtMs).toBe(nowMs);
      await read(8, [swapFact(1, 8)], 1);
      await store.settle(failed, await stateNow(), lease);
      expect(await only()).toMatchObject({ status: 'completed', blockNumber: 8 });
      await lose(6, nowMs + 5);
      await store.settle(failed, await stateNow(), lease);
      await store.settle(findings({ kind: 'dropped' }), await stateNow(), lease);
      expect((await store.lost(streamId, nowMs + 5, 10)).swaps).toHaveLength(1);
    });

    test('blocks that are read again lose only the swaps that are not found again', async () => {
      await read(9, [swapFact(1, 3), swapFact(2, 5), swapFact(3, 9)]);
      await opened.index.reindex(streamId, 2);
      expect((await all()).every(({ lostAtMs }) => lostAtMs === undefined)).toBe(true);
      await read(6, [swapFact(2, 5)]);
      expect((await all()).map(({ lostAtMs }) => lostAtMs)).toEqual([nowMs, undefined, undefined]);
    });
  });
}
