/** The guarantees of `bridge/indexing/index-store.ts` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Lease, LeaseStore } from '@flowgate/sql/coordination/lease-store';
import { noFacts } from '../facts/range-facts.ts';
import type { IndexStore, RangeCommit, StreamState } from './index-store.ts';

export type OpenedIndex = {
  readonly store: IndexStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: IndexStore;
  readonly leases: LeaseStore;
  readonly close: () => Promise<void>;
};

const nowMs = 1_800_000_000_000;
const streamId = 'main/l1';
const stream = { streamId, bridgeId: 'main', dlt: 'ethereum', networkId: 'l1' };
const hashOf = (number: number, fork = 0) => `0x${(number * 16 + fork).toString(16).padStart(64, '0')}`;

export function indexStoreContract(engine: string, open: () => Promise<OpenedIndex>): void {
  describe(`index store on ${engine}`, () => {
    let opened: OpenedIndex;
    let store: IndexStore;
    let lease: Lease;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      lease = await leaseOf('one');
    });
    afterEach(() => opened.close());

    async function leaseOf(holder: string): Promise<Lease> {
      const attempt = await opened.leases.acquire('bridge main', holder, 60_000);
      if (!attempt.acquired) throw new Error('the lease was taken');
      return attempt.lease;
    }
    async function stateNow(by = store): Promise<StreamState> {
      const state = (await by.states()).find((each) => each.streamId === streamId);
      if (state === undefined) throw new Error('the stream was not begun');
      return state;
    }
    /** Blocks from the stream's next block up to `to`, each of them remembered. */
    function rangeTo(to: number, state: StreamState, fork = 0): RangeCommit {
      const numbers = Array.from({ length: to - state.nextBlock + 1 }, (_, at) => state.nextBlock + at);
      const blocks = numbers.map((number) => ({ number, hash: hashOf(number, fork) }));
      return { stream, state, to, facts: noFacts, blocks, nowMs };
    }
    const readTo = async (to: number) => store.commit(rangeTo(to, await stateNow()), lease);
    const numbersNow = async () => (await store.blocks(streamId, 5_000)).map(({ number }) => number);

    test('a stream begins once, at its start block, and every process sees it', async () => {
      expect(await store.states()).toEqual([]);
      const begun = { streamId, nextBlock: 7, epoch: 1 };
      expect(await store.begin(streamId, 7, lease)).toEqual(begun);
      expect(await opened.other.begin(streamId, 9, lease)).toEqual(begun);
      expect(await opened.other.states()).toEqual([begun]);
      expect(await store.blocks(streamId, 10)).toEqual([]);
    });

    test('a range advances the stream and stores its hashes, newest first', async () => {
      await store.begin(streamId, 5, lease);
      expect(await readTo(8)).toBe(true);
      expect(await stateNow(opened.other)).toEqual({ streamId, nextBlock: 9, epoch: 1 });
      expect(await opened.other.blocks(streamId, 2)).toEqual([
        { number: 8, hash: hashOf(8) },
        { number: 7, hash: hashOf(7) },
      ]);
      expect(await numbersNow()).toEqual([8, 7, 6, 5]);
    });

    test('of ranges that two processes read concurrently at the same place, one is stored', async () => {
      const state = await store.begin(streamId, 0, lease);
      if (state === undefined) throw new Error('not begun');
      const stored = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? store : opened.other).commit(rangeTo(at + 1, state, at), lease),
        ),
      );
      const winner = stored.indexOf(true);
      expect(stored.filter((each) => each)).toHaveLength(1);
      expect((await stateNow()).nextBlock).toBe(winner + 2);
      expect(await store.blocks(streamId, 1)).toEqual([{ number: winner + 1, hash: hashOf(winner + 1, winner) }]);
      expect(await numbersNow()).toHaveLength(winner + 2);
    });

    test('nothing is stored under another epoch, at another place, or after the lease', async () => {
      const state = await store.begin(streamId, 0, lease);
      if (state === undefined) throw new Error('not begun');
      expect(await store.commit(rangeTo(3, { ...state, epoch: 2 }), lease)).toBe(false);
      expect(await store.commit(rangeTo(3, { ...state, nextBlock: 1 }), lease)).toBe(false);
      expect(await store.commit({ ...rangeTo(3, state), stream: { ...stream, streamId: 'main/l2' } }, lease)).toBe(
        false,
      );
      const later = await leaseOf('one');
      expect(await store.commit(rangeTo(3, state), lease)).toBe(false);
      expect(await store.undo(streamId, state, 0, nowMs, lease)).toBe(false);
      expect(await store.begin('main/l2', 0, lease)).toBeUndefined();
      await store.note(streamId, { trouble: 'none' }, lease);
      expect(await store.states()).toEqual([state]);
      expect(await store.blocks(streamId, 10)).toEqual([]);
      expect(await store.commit(rangeTo(3, state), later)).toBe(true);
      await opened.leases.release(later);
      expect(await readTo(4)).toBe(false);
    });

    test('a revert forgets the blocks above, moves back, and begins an epoch that refuses earlier reads', async () => {
      await store.begin(streamId, 0, lease);
      await readTo(9);
      const before = await stateNow();
      expect(await store.undo(streamId, { ...before, epoch: 7 }, 6, nowMs, lease)).toBe(false);
      expect(await store.undo(streamId, before, 6, nowMs, lease)).toBe(true);
      expect(await stateNow()).toEqual({ streamId, nextBlock: 7, epoch: 2 });
      expect(await numbersNow()).toEqual([6, 5, 4, 3, 2, 1, 0]);
      expect(await store.commit(rangeTo(12, before), lease)).toBe(false);
      expect(await store.commit({ ...rangeTo(12, before), state: { nextBlock: 7, epoch: 1 } }, lease)).toBe(false);
      expect(await store.undo(streamId, before, 3, nowMs, lease)).toBe(false);
      expect(await store.commit(rangeTo(9, await stateNow(), 1), lease)).toBe(true);
      expect(await store.blocks(streamId, 1)).toEqual([{ number: 9, hash: hashOf(9, 1) }]);
    });

    test('everything can be reverted, down to the start', async () => {
      await store.begin(streamId, 4, lease);
      await readTo(9);
      expect(await store.undo(streamId, await stateNow(), 3, nowMs, lease)).toBe(true);
      expect(await stateNow()).toEqual({ streamId, nextBlock: 4, epoch: 2 });
      expect(await numbersNow()).toEqual([]);
    });

    test('old blocks are forgotten except for some, whether they came at once or one by one', async () => {
      await store.begin(streamId, 1_000, lease);
      await readTo(2_100);
      for (let to = 2_101; to <= 2_104; to += 1) await readTo(to);
      const recent = Array.from({ length: 513 }, (_, at) => 2_104 - at);
      expect(await numbersNow()).toEqual([...recent, 1_024]);
      await readTo(3_700);
      expect((await numbersNow()).slice(-4)).toEqual([3_188, 3_072, 2_048, 1_024]);
    });

    test('the head, and the trouble that blocks the stream, are noted independently', async () => {
      const state = await store.begin(streamId, 0, lease);
      const head = { number: 12, hash: hashOf(12), timeMs: nowMs };
      await store.note(streamId, { head, readAtMs: nowMs + 5 }, lease);
      expect(await stateNow(opened.other)).toEqual({
        ...state,
        streamId,
        nextBlock: 0,
        epoch: 1,
        head,
        readAtMs: nowMs + 5,
      });
      await store.note(streamId, { trouble: 'no node answers' }, lease);
      expect(await stateNow()).toMatchObject({ head, readAtMs: nowMs + 5, trouble: 'no node answers' });
      await store.note(streamId, { readAtMs: nowMs + 9 }, lease);
      expect(await stateNow()).toEqual({ streamId, nextBlock: 0, epoch: 1, head, readAtMs: nowMs + 9 });
    });

    test('a reread begins at the remembered block below, and has the last block with stored facts', async () => {
      expect(await store.reindex(streamId, 3)).toBeUndefined();
      await store.begin(streamId, 0, lease);
      await store.commit(
        { ...rangeTo(20, await stateNow()), blocks: [4, 10, 20].map((number) => ({ number, hash: hashOf(number) })) },
        lease,
      );
      const before = await stateNow();
      expect(await opened.other.reindex(streamId, 9)).toBe(5);
      expect(await stateNow()).toEqual({ streamId, nextBlock: 5, epoch: 2, rereadTo: 20 });
      expect(await numbersNow()).toEqual([4]);
      expect(await store.commit(rangeTo(30, before), lease)).toBe(false);
      expect(await readTo(7)).toBe(true);
      expect(await stateNow()).toEqual({ streamId, nextBlock: 8, epoch: 2, rereadTo: 20 });
      // A second reread before the first is done: the larger end still counts.
      expect(await store.reindex(streamId, 2)).toBe(2);
      expect(await stateNow()).toEqual({ streamId, nextBlock: 2, epoch: 3, rereadTo: 20 });
      expect(await readTo(20)).toBe(true);
      expect(await stateNow()).toEqual({ streamId, nextBlock: 21, epoch: 3 });
    });

    test("a reread beyond the stream's position changes nothing", async () => {
      await store.begin(streamId, 0, lease);
      await readTo(5);
      expect(await store.reindex(streamId, 900)).toBe(6);
      expect(await readTo(8)).toBe(true);
      expect(await stateNow()).toEqual({ streamId, nextBlock: 9, epoch: 2 });
      expect(await numbersNow()).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0]);
    });
  });
}
