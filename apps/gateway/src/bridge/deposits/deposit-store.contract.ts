/** The guarantees of `bridge/deposits/deposit-store.ts` and of the statements that index deposits, as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Database } from '@flowgate/sql/engine/database';
import { type DepositFollower, followDeposits, stalledAfterMs } from '../../../test/fixtures/deposit-follower.ts';
import { type Fate, l2HashOf, type SentDeposit } from '../../../test/fixtures/deposit-world.ts';
import { ChainAway } from '../chain/chain-reader.ts';
import { noFacts } from '../facts/range-facts.ts';
import type { RoundTerms } from '../indexing/settler.ts';
import type { DepositRecord } from './deposit.ts';

export type OpenedDeposits = { readonly database: Database; readonly close: () => Promise<void> };

export function depositStoreContract(engine: string, open: () => Promise<OpenedDeposits>): void {
  describe(`deposit store on ${engine}`, () => {
    let opened: OpenedDeposits;
    let follower: DepositFollower;
    beforeEach(async () => {
      opened = await open();
      follower = await followDeposits(opened.database);
    });
    afterEach(() => opened.close());

    const record = async (sent: SentDeposit): Promise<DepositRecord> => {
      const found = await follower.recordOf(sent);
      if (found === undefined) throw new Error('not stored');
      return found;
    };
    /** Sent, mined and read, and nothing else. */
    async function stored(fate: Fate = 'portal'): Promise<SentDeposit> {
      const sent = follower.world.send(fate);
      follower.world.mineL1();
      await follower.read('l1');
      return sent;
    }
    const fenceNow = async (): Promise<RoundTerms> => ({
      lease: follower.lease,
      epochs: [await follower.stateOf('l1'), await follower.stateOf('l2')],
    });
    const everywhere = { confirmed: 1_000, relaying: 1_000 };
    const bridge = { bridgeId: 'main', stalledAfterMs };

    test('a stored deposit is read back member by member, and by its id', async () => {
      const sent = await stored('relayed');
      const block = follower.world.blockOf(sent);
      const { nowMs } = follower.time;
      const found = await record(sent);
      expect(found).toEqual({
        ...{ depositId: expect.stringMatching(/^dep_/), bridgeId: 'main', transactionHash: sent.hash, nth: 0 },
        ...{ kind: 'native', amount: '5', from: sent.sender, to: sent.sender, sender: sent.sender, nonce: 0 },
        ...{ messageHash: expect.stringMatching(/^0xa/), l1Block: 1, l1BlockHash: block?.hash, l1LogIndex: 0 },
        ...{ l2Hash: block && l2HashOf(block, sent), status: 'pending', createdAtMs: expect.any(Number) },
        ...{ updatedAtMs: nowMs, statusChangedAtMs: nowMs },
      } as DepositRecord);
      expect(await follower.store.find(found.depositId)).toEqual(found);
      expect(await follower.store.find('dep_other')).toBeUndefined();
    });

    test('a list has the deposits of senders and receivers, each once, by status and in pages', async () => {
      const sent = [await stored(), await stored(), await stored()];
      const places = sent.map(({ sender }) => ({ address: sender, partition: 'main' }));
      const list = (terms: object = {}) =>
        follower.store.list({ senders: places, receivers: places, page: { limit: 2 }, ...terms });
      const first = await list();
      expect(first.records.map(({ l1Block }) => l1Block)).toEqual([3, 2]);
      const second = await list({ page: { limit: 2, after: first.next } });
      expect([second.records.map(({ l1Block }) => l1Block), second.next]).toEqual([[1], undefined]);
      expect((await list({ senders: [], receivers: places.slice(0, 1) })).records).toHaveLength(1);
      expect((await list({ senders: [], receivers: [] })).records).toEqual([]);
      expect((await list({ statuses: ['completed'] })).records).toEqual([]);
      expect((await list({ statuses: ['pending'] })).records).toHaveLength(2);
      const all = { page: { limit: 9 } };
      expect((await list({ statuses: ['completed', 'failed', 'pending'], ...all })).records).toHaveLength(3);
      const [newest, middle] = first.records;
      if (newest === undefined || middle === undefined) throw new Error('not listed');
      expect((await list({ newerThanMs: middle.createdAtMs, ...all })).records).toEqual([newest]);
      for (const transactionHash of [middle.transactionHash, middle.l2Hash])
        expect((await list({ transactionHash, ...all })).records).toEqual([middle]);
      expect((await list({ transactionHash: newest.transactionHash, statuses: ['failed'] })).records).toEqual([]);
      expect((await list({ transactionHash: newest.transactionHash, receivers: [], senders: [] })).records).toEqual([]);
      const elsewhere = places.map(({ address }) => ({ address, partition: 'other' }));
      expect((await list({ senders: elsewhere, receivers: elsewhere })).records).toEqual([]);
    });

    test('the same facts twice in one range, and read again, make one record with one id', async () => {
      const sent = await stored();
      const before = await record(sent);
      follower.world.mineL1();
      const [fact] = follower.world.depositFacts(1, 1);
      const state = await follower.stateOf('l1');
      if (fact === undefined) throw new Error('no fact');
      const stream = { streamId: 'main/l1', bridgeId: 'main', dlt: 'ethereum', networkId: 'l1' };
      const facts = { ...noFacts, deposits: [fact, fact] };
      const range = { stream, state, to: 2, facts, blocks: [], nowMs: follower.time.nowMs + 5 };
      expect(await follower.index.commit(range, follower.lease)).toBe(true);
      expect(await record(sent)).toEqual(before);
    });

    test('a deposit that is mined again in another block takes its new hash, and may send something else', async () => {
      const sent = await stored('relayed');
      const [fact] = follower.world.depositFacts(1, 1);
      if (fact === undefined) throw new Error('no fact');
      const { depositId } = await record(sent);
      const { nowMs } = follower.time;
      await follower.index.undo('main/l1', await follower.stateOf('l1'), 0, nowMs, follower.lease);
      const [l1, l2, to] = (['1', '2', '3'] as const).map((digit) => `0x${digit.repeat(40)}` as const);
      if (l1 === undefined || l2 === undefined || to === undefined) throw new Error('no addresses');
      const messageHash = `0x${'d'.repeat(64)}` as const;
      const token = { native: false, l1, l2 } as const;
      const deposit = { ...fact.deposit, kind: 'token', token, amount: 6n, to, messageHash } as const;
      const again = { ...fact, blockHash: `0x${'9'.repeat(64)}` as const, deposit };
      const stream = { streamId: 'main/l1', bridgeId: 'main', dlt: 'ethereum', networkId: 'l1' };
      const facts = { ...noFacts, deposits: [again] };
      const range = { stream, state: await follower.stateOf('l1'), to: 1, facts, blocks: [], nowMs };
      expect(await follower.index.commit(range, follower.lease)).toBe(true);
      expect(await record(sent)).toMatchObject({
        ...{ depositId, kind: 'token', l1Token: l1, l2Token: l2, amount: '6', to, messageHash },
        ...{ l1BlockHash: again.blockHash, status: 'pending' },
      });
    });

    test('blocks that are read again keep what is found again and remove the rest (flowgate reindex)', async () => {
      const [portal, relayed] = [follower.world.send('portal'), follower.world.send('relayed')];
      for (let left = 8; left > 0; left--) follower.world.mineL1();
      for (let left = 8; left > 0; left--) follower.world.derive();
      await follower.read('l1');
      await follower.read('l2');
      await follower.settleAll();
      const before = [await record(relayed), await record(portal)];
      expect(before.map(({ status }) => status)).toEqual(['completed', 'completed']);
      for (const name of ['l1', 'l2'] as const) {
        await follower.index.reindex(`main/${name}`, 0);
        follower.time.nowMs += 1_000;
        await follower.read(name);
      }
      const withoutTimes = async (sent: SentDeposit) => ({ ...(await record(sent)), resetAtMs: undefined });
      expect(await withoutTimes(relayed)).toEqual({ ...(before[0] as DepositRecord), resetAtMs: undefined });
      expect(await withoutTimes(portal)).toEqual({ ...(before[1] as DepositRecord), resetAtMs: undefined });
      await follower.settleAll();
      expect((await record(portal)).resetAtMs).toBeUndefined();
      expect((await record(portal)).statusChangedAtMs).toBe(before[1]?.statusChangedAtMs ?? 0);

      // A node reported a deposit that never existed.
      const block = follower.world.l1[1];
      if (block === undefined) throw new Error('no block');
      follower.world.l1[1] = { ...block, sent: block.sent.filter(({ hash }) => hash !== relayed.hash) };
      await follower.index.reindex('main/l1', 0);
      await follower.read('l1');
      expect(await record(relayed)).toMatchObject({ status: 'pending', lostAtMs: follower.time.nowMs });
      expect(await record(portal)).toMatchObject({ status: 'completed' });
    });

    test('the leader writes nothing after its lease is lost or an epoch ends', async () => {
      const sent = await stored();
      const { nowMs } = follower.time;
      const fence = await fenceNow();
      const lost = { ...fence, lease: { ...fence.lease, token: fence.lease.token + 1 } };
      const over = { ...fence, epochs: fence.epochs.map((each) => ({ ...each, epoch: each.epoch + 1 })) };
      const deposit = await record(sent);
      for (const stale of [lost, over]) {
        expect(await follower.progress.advance(bridge, everywhere, 10, nowMs, stale)).toBe(0);
        const end = { deposit, status: 'completed' as const, l2Block: 0, l2BlockHash: '0x' };
        await follower.progress.end([end], nowMs, stale);
        await follower.progress.giveUp([deposit], nowMs, stale);
      }
      expect(await record(sent)).toEqual(deposit);
      expect(await follower.progress.advance(bridge, everywhere, 10, nowMs, fence)).toBe(1);
      expect((await record(sent)).status).toBe('relaying');
      // The status never moves back.
      expect(await follower.progress.advance(bridge, { confirmed: 1_000, relaying: -1 }, 10, nowMs, fence)).toBe(0);
    });

    test('an end counts in a block that L2 was read to, and not in another block of that number', async () => {
      const sent = await stored();
      follower.world.derive();
      const deposit = await record(sent);
      const own = follower.world.l2[1]?.hash ?? '';
      const end = async (l2BlockHash: string) => {
        const outcome = { deposit, status: 'completed' as const, l2Block: 1, l2BlockHash };
        await follower.progress.end([outcome], follower.time.nowMs, await fenceNow());
        return (await record(sent)).status;
      };
      expect(await end(own)).toBe('pending');
      await follower.read('l2');
      expect(await end(`0x${'9'.repeat(64)}`)).toBe('pending');
      expect(await end(own)).toBe('completed');
      expect((await record(sent)).l2Block).toBe(1);
    });

    test('of many concurrent requests one checks; the next check is a minute later, or after the clock was set back', async () => {
      const { depositId } = await record(await stored());
      const { nowMs } = follower.time;
      const claim = (atMs: number) => follower.store.claimChecks([depositId], 60_000, atMs);
      const claimed = await Promise.all(Array.from({ length: 10 }, () => claim(nowMs)));
      expect(claimed.filter(({ size }) => size === 1)).toHaveLength(1);
      expect((await claim(nowMs + 59_999)).size).toBe(0);
      expect((await claim(nowMs + 60_000)).size).toBe(1);
      expect((await claim(nowMs - 3_600_000)).size).toBe(1);
    });

    test('the stalled reason is reported until the status changes, and never for a status that is over', async () => {
      const sent = await stored();
      const deposit = await record(sent);
      await follower.store.storeReasons([{ deposit, reason: 'it waits' }]);
      expect((await record(sent)).stalledReason).toBe('it waits');
      await follower.progress.advance(bridge, everywhere, 10, follower.time.nowMs + 1, await fenceNow());
      expect((await record(sent)).stalledReason).toBeUndefined();
      await follower.store.storeReasons([{ deposit, reason: 'too late' }]);
      expect((await record(sent)).stalledReason).toBeUndefined();
      const { nowMs } = follower.time;
      const fence = await fenceNow();
      expect(await follower.progress.stalled(bridge, 10, nowMs + stalledAfterMs - 1, fence)).toEqual([]);
      const late = await follower.progress.stalled(bridge, 10, nowMs + stalledAfterMs + 1, fence);
      expect(late.map(({ depositId }) => depositId)).toEqual([deposit.depositId]);
    });

    test('a lost deposit waits for its transaction for a day, and can return even then', async () => {
      const sent = await stored();
      follower.world.reorganizeL1(1, false);
      await follower.read('l1');
      await follower.settle();
      expect((await record(sent)).status).toBe('pending');
      follower.time.nowMs += 86_400_000;
      await follower.settle();
      expect(await record(sent)).toMatchObject({ status: 'failed', failureReason: 'reorganised' });
      follower.world.pool.push(sent);
      follower.world.mineL1();
      await follower.read('l1');
      expect(await record(sent)).toMatchObject({ status: 'pending', l1Block: 2 });
      expect(await record(sent)).not.toHaveProperty('failureReason');
    });

    test('while the sequencer is stopped, the cost of a round does not depend on the number of waiting deposits; then all are completed', async () => {
      const asked: number[] = [];
      const sent: SentDeposit[] = [];
      for (const many of [100, 300]) {
        for (let left = many; left > 0; left--) sent.push(follower.world.send(left % 2 === 0 ? 'portal' : 'relayed'));
        for (let left = 10; left > 0; left--) follower.world.mineL1();
        await follower.read('l1');
        await follower.settleAll();
        const before = follower.world.asked;
        await follower.settle();
        asked.push(follower.world.asked - before);
      }
      expect(asked).toEqual([0, 0]);
      while (follower.world.l2Head.origin < follower.world.l1Head.number) follower.world.derive();
      await follower.read('l2');
      await follower.settleAll();
      const places = sent.map(({ sender }) => ({ address: sender, partition: 'main' }));
      const terms = { senders: places, receivers: [], statuses: ['completed' as const] };
      const { records, next } = await follower.store.list({ ...terms, page: { limit: 100 } });
      expect([records.length, next !== undefined]).toEqual([100, true]);
      expect(await follower.progress.isAnyOpen('main')).toBe(false);
    });

    test('while L2 is away, progress from L1 continues; while L1 is away, no deposit fails', async () => {
      const sent = await stored();
      for (let left = 2; left > 0; left--) follower.world.mineL1();
      await follower.read('l1');
      await follower.read('l2');
      follower.world.isL2Away = true;
      expect(await follower.settle().catch((error: unknown) => error)).toBeInstanceOf(ChainAway);
      expect((await record(sent)).status).toBe('confirmed');
      follower.world.reorganizeL1(5, false);
      await follower.read('l1');
      follower.world.usedByOthers.add(sent.sender);
      follower.world.isL1Away = true;
      expect(await follower.settle().catch((error: unknown) => error)).toBeInstanceOf(ChainAway);
      expect((await record(sent)).status).toBe('pending');
    });
  });
}
