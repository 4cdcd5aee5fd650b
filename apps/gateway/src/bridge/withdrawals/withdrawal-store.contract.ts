/**
 * The guarantees of `bridge/withdrawals/withdrawal-store.ts` as tests that every engine runs. Facts are stored through the index store, as the indexer does. Over 250
 * lines: one contract for one interface.
 */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Lease, LeaseStore } from '@flowgate/sql/coordination/lease-store';
import { noFacts, type RangeFacts } from '../facts/range-facts.ts';
import type { WithdrawalFact } from '../facts/withdrawal-facts.ts';
import type { IndexStore } from '../indexing/index-store.ts';
import type { WithdrawalChanges, WithdrawalStore } from './withdrawal-store.ts';

export type OpenedWithdrawals = {
  readonly store: WithdrawalStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: WithdrawalStore;
  readonly index: IndexStore;
  readonly leases: LeaseStore;
  readonly close: () => Promise<void>;
};

const nowMs = 1_800_000_000_000;
const hash = (number: number): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`;
const address = (number: number): `0x${string}` => `0x${number.toString(16).padStart(40, '0')}`;
const [alice, bob] = [address(0xa11ce), address(0xb0b)];

function place(number: number, blockNumber: number) {
  const blockTimeMs = nowMs - 1_000_000 + 1_000 * blockNumber;
  return { transactionHash: hash(number), nth: 0, blockNumber, blockHash: hash(blockNumber), logIndex: 0, blockTimeMs };
}

export function withdrawalFact(number: number, blockNumber: number, more: { readonly from?: typeof alice } = {}) {
  const { from = alice } = more;
  const tuple = {
    ...{ nonce: BigInt(number), sender: from, target: bob, value: 10n ** 20n, gasLimit: 21_000n },
    data: '0x' as const,
  };
  const fact: WithdrawalFact = {
    ...place(number, blockNumber),
    withdrawal: {
      ...{ kind: 'native', token: { native: true }, amount: 10n ** 20n, from, to: bob },
      ...{ withdrawalHash: hash(0xf000 + number), tuple, messageHash: undefined },
    },
    transaction: { from, nonce: number },
  };
  return fact;
}

export function withdrawalStoreContract(engine: string, open: () => Promise<OpenedWithdrawals>): void {
  describe(`withdrawal store on ${engine}`, () => {
    let opened: OpenedWithdrawals;
    let store: WithdrawalStore;
    let lease: Lease;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      const attempt = await opened.leases.acquire('bridge main', 'one', 60_000);
      if (!attempt.acquired) throw new Error('the lease was taken');
      lease = attempt.lease;
      for (const side of ['l1', 'l2']) await opened.index.begin(`main/${side}`, 0, lease);
    });
    afterEach(() => opened.close());

    const stateOf = async (side: 'l1' | 'l2') => {
      const state = (await opened.index.states()).find(({ streamId }) => streamId === `main/${side}`);
      if (state === undefined) throw new Error('not begun');
      return state;
    };
    /** Stores the stream's next range, up to this block. */
    async function read(side: 'l1' | 'l2', to: number, facts: Partial<RangeFacts>): Promise<void> {
      const stream = { streamId: `main/${side}`, bridgeId: 'main', dlt: 'ethereum', networkId: side };
      const state = await stateOf(side);
      const blocks = [{ number: to, hash: hash(to) }];
      const range = { stream, state, to, facts: { ...noFacts, ...facts }, blocks, nowMs };
      expect(await opened.index.commit(range, lease)).toBe(true);
    }
    const undo = async (side: 'l1' | 'l2', keep: number) =>
      expect(await opened.index.undo(`main/${side}`, await stateOf(side), keep, nowMs + 1, lease)).toBe(true);
    const terms = async () => ({ lease, epochs: [await stateOf('l1'), await stateOf('l2')] });
    const settle = async (changes: Omit<WithdrawalChanges, 'nowMs'>) =>
      store.settle('main', { ...changes, nowMs: nowMs + 5 }, await terms());
    const listed = async (
      who = alice,
      more: Partial<Pick<Parameters<WithdrawalStore['list']>[0], 'statuses' | 'transactionHash' | 'newerThanMs'>> = {},
      by = store,
    ) =>
      by.list({
        senders: [{ address: who, partition: 'main' }],
        receivers: [{ address: who, partition: 'main' }],
        page: { limit: 100 },
        ...more,
      });
    const due = (chainTimeMs = nowMs) => store.due('main', chainTimeMs, 100);
    const only = async () => {
      const [first, ...others] = (await listed()).records;
      if (first === undefined || others.length > 0) throw new Error('not one');
      return first;
    };
    /** Decides all withdrawals, so that none is due. */
    const rest = async (
      status: 'awaiting_state_root' | 'ready_to_prove' | 'in_dispute_window' = 'awaiting_state_root',
    ) => {
      const found = await due();
      const evaluations = found.map(({ withdrawal: { withdrawalId, revision } }) => ({
        withdrawalId,
        revision,
        status,
      }));
      expect(await settle({ evaluations })).toBe(true);
    };
    const game = (number: number, blockNumber: number, l2BlockNumber: number) => ({
      ...{ ...place(number, blockNumber), game: address(number), gameType: 0, rootClaim: hash(9), l2BlockNumber },
    });
    const proof = (number: number, blockNumber: number, ofWithdrawal: number, submitter = alice) => ({
      ...{ ...place(number, blockNumber), withdrawalHash: hash(0xf000 + ofWithdrawal), submitter },
    });

    test('a withdrawal is listed for its sender and its receiver, with its tuple, in every process', async () => {
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7)] });
      const { withdrawalId, ...record } = await only();
      expect(withdrawalId).toMatch(/^wdr_/);
      expect(record).toMatchObject({
        ...{ bridgeId: 'main', transactionHash: hash(1), blockNumber: 7, kind: 'native', status: 'initiated' },
        ...{ withdrawalHash: hash(0xf001), nonce: '1', amount: '100000000000000000000', from: alice, to: bob },
        ...{ createdAtMs: nowMs - 993_000, updatedAtMs: nowMs, statusChangedAtMs: nowMs },
      });
      expect((await listed(bob, {}, opened.other)).records).toHaveLength(1);
      expect((await listed(address(5))).records).toEqual([]);
      expect(await store.find(withdrawalId)).toMatchObject({ withdrawalId });
      expect(await store.byIds([withdrawalId, 'wdr_none'])).toHaveLength(1);
      expect(await opened.other.tuple(withdrawalId)).toEqual({
        ...{ nonce: '1', sender: alice, target: bob, value: '100000000000000000000', gasLimit: '21000', data: '0x' },
      });
      expect([await store.find('wdr_none'), await store.tuple('wdr_none')]).toEqual([undefined, undefined]);
    });

    test('pages go from the newest to the oldest, also for one status', async () => {
      await read('l2', 10, { withdrawals: [1, 2, 3, 4, 5].map((number) => withdrawalFact(number, number)) });
      const senders = [{ address: alice, partition: 'main' }];
      const first = await store.list({ senders, receivers: [], page: { limit: 3 } });
      const second = await store.list({
        ...{ senders, receivers: [], page: { limit: 3, ...(first.next && { after: first.next }) } },
      });
      expect([...first.records, ...second.records].map(({ blockNumber }) => blockNumber)).toEqual([5, 4, 3, 2, 1]);
      expect(second.next).toBeUndefined();
      expect((await listed(alice, { statuses: ['ready_to_prove'] })).records).toEqual([]);
      expect((await listed(alice, { statuses: ['initiated'] })).records).toHaveLength(5);
      expect((await listed(alice, { statuses: ['failed', 'finalised', 'initiated'] })).records).toHaveLength(5);
      const { createdAtMs = 0 } = first.records[1] ?? {};
      expect((await listed(alice, { newerThanMs: createdAtMs })).records).toEqual(first.records.slice(0, 1));
    });

    test('a withdrawal is found by each of its transactions, and only by users who may see it', async () => {
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 1), withdrawalFact(2, 2)] });
      const found = (await due()).find(({ withdrawal }) => withdrawal.transactionHash === hash(1));
      if (found === undefined) throw new Error('not stored');
      const { withdrawalId, revision } = found.withdrawal;
      const ends = { status: 'finalised', proveTransaction: hash(70), finalizeTransaction: hash(71) } as const;
      expect(await settle({ evaluations: [{ withdrawalId, revision, ...ends }] })).toBe(true);
      for (const transactionHash of [hash(1), hash(70), hash(71)]) {
        const { records } = await listed(alice, { transactionHash });
        expect(records.map((each) => each.withdrawalId)).toEqual([withdrawalId]);
        expect((await listed(address(5), { transactionHash })).records).toEqual([]);
      }
      expect((await listed(alice, { transactionHash: hash(72) })).records).toEqual([]);
    });

    test('a lost withdrawal is initiated again; when it is found again it has its id and its new block', async () => {
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7), withdrawalFact(2, 3)] });
      await rest('ready_to_prove');
      const before = await listed();
      await undo('l2', 5);
      const lost = (await listed()).records[0];
      expect(lost).toMatchObject({ status: 'initiated', lostAtMs: nowMs + 1, statusChangedAtMs: nowMs + 1 });
      expect((await due()).map(({ withdrawal }) => withdrawal.withdrawalId)).toEqual([lost?.withdrawalId ?? '']);
      await read('l2', 12, { withdrawals: [withdrawalFact(1, 9)] });
      const after = await listed();
      expect(after.records.map(({ withdrawalId }) => withdrawalId)).toEqual(
        before.records.map(({ withdrawalId }) => withdrawalId),
      );
      expect(after.records[0]).toMatchObject({ blockNumber: 9, status: 'initiated' });
      expect(after.records[0]?.lostAtMs).toBeUndefined();
      expect(after.records[1]).toEqual(before.records[1] ?? lost);
    });

    test('a reread changes no status; a known fact changes nothing', async () => {
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7)] });
      await rest('ready_to_prove');
      const before = await only();
      await opened.index.reindex('main/l2', 0);
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7)] });
      // Only the leader's columns differ.
      expect({ ...(await only()), revision: 0, dueAtMs: 0 }).toEqual({ ...before, revision: 0, dueAtMs: 0 });
      await opened.index.reindex('main/l2', 0);
      await read('l2', 10, {});
      expect(await only()).toMatchObject({ status: 'ready_to_prove', lostAtMs: nowMs });
    });

    test('proofs, finalizations and games make a withdrawal due, in any order of reading; so does their revert', async () => {
      await read('l1', 20, { proofs: [proof(50, 12, 1)] });
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7)] });
      expect((await due())[0]).toMatchObject({
        finalization: undefined,
        proofs: [{ isBound: false, submitter: alice }],
      });
      await rest();
      await read('l1', 30, {
        proofs: [proof(51, 25, 1)],
        games: [game(40, 24, 8)],
        finalizations: [{ ...place(60, 26), withdrawalHash: hash(0xf001), isSuccess: false }],
      });
      const [found] = await due();
      // Of one submitter the latest counts.
      expect(found?.proofs.map(({ transactionHash }) => transactionHash)).toEqual([hash(51)]);
      expect(found?.finalization).toMatchObject({ isSuccess: false, transactionHash: hash(60) });
      await rest();
      expect(await due()).toEqual([]);
      await undo('l1', 22);
      const [again] = await due();
      expect(again?.proofs.map(({ transactionHash }) => transactionHash)).toEqual([hash(50)]);
      expect(again?.finalization).toBeUndefined();
      expect(await store.newestGames('main', { gameType: 0, createdFrom: 0 }, 10)).toEqual([]);
    });

    test('a bound proof adds its game; a change of the game makes its withdrawals due', async () => {
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7), withdrawalFact(2, 8)] });
      await read('l1', 20, { games: [game(40, 11, 9)], proofs: [proof(50, 12, 1), proof(51, 12, 2, bob)] });
      const unbound = await store.unboundProofs('main', 10);
      expect(unbound.map(({ submitter }) => submitter).sort()).toEqual([alice, bob].sort());
      const bindings = unbound.map((each) => ({ proof: each, game: address(40) }));
      expect(await settle({ bindings })).toBe(true);
      expect(await store.unboundProofs('main', 10)).toEqual([]);
      await rest('in_dispute_window');
      const [watched] = await store.watchedGames('main', '', 10);
      expect(watched).toMatchObject({ game: address(40), l2BlockNumber: 9, isRead: false, hasOpenProofs: true });
      while (await store.spread('main', 9, nowMs, 1, await terms()));
      await rest('in_dispute_window');
      const state = { status: 'challenger_wins', isChallenged: true, resolvedAt: 77, clockSeconds: 10 } as const;
      expect(
        await settle({ games: [{ gameId: watched?.gameId ?? '', ...state, isBlacklisted: false, blockNumber: 20 }] }),
      ).toBe(true);
      expect(await due()).toEqual([]);
      // One proof at a time.
      while (await store.spread('main', undefined, nowMs, 1, await terms()));
      expect((await due()).map(({ proofs }) => proofs[0]?.game)).toMatchObject([state, state]);
      expect(await store.newestGames('main', { gameType: 0, createdFrom: 0 }, 10)).toEqual([]);
      await undo('l1', 15);
      // Its resolution may have been in a lost block: it is read again.
      expect(await store.newestGames('main', { gameType: 0, createdFrom: 0 }, 10)).toHaveLength(1);
    });

    test('of two transactions with the same withdrawal, a finalization on L1 belongs to the one that L2 has, in any order of reading', async () => {
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7)] });
      await read('l1', 20, { finalizations: [{ ...place(60, 12), withdrawalHash: hash(0xf001), isSuccess: true }] });
      await undo('l2', 5);
      // Alone, it is the one that was paid out, in any block.
      expect((await due()).map(({ finalization }) => finalization?.transactionHash)).toEqual([hash(60)]);
      await rest();
      expect(await due()).toEqual([]);
      const again = { ...withdrawalFact(1, 8), transactionHash: hash(2) };
      await read('l2', 12, { withdrawals: [again] });
      const found = (await due()).map(({ withdrawal, finalization }) => [withdrawal.transactionHash, finalization]);
      expect(new Map(found as [string, unknown][])).toEqual(
        new Map<string, unknown>([
          [hash(1), undefined],
          [hash(2), expect.objectContaining({ transactionHash: hash(60) })],
        ]),
      );
      // Removed as well, and the first one mined again: now the finalization belongs to that one.
      await undo('l2', 5);
      await read('l2', 14, { withdrawals: [withdrawalFact(1, 9)] });
      const ends = (await due()).map(({ withdrawal, finalization }) => [
        withdrawal.transactionHash,
        finalization?.transactionHash,
      ]);
      expect(ends.sort()).toEqual([
        [hash(1), hash(60)],
        [hash(2), undefined],
      ]);
    });

    test('strangers who prove a withdrawal many times displace neither earlier proofs nor that of its receiver', async () => {
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7)] });
      const crowd = (from: number, blockNumber: number) =>
        Array.from({ length: 70 }, (_, at) => proof(from + at, blockNumber, 1, address(from + at)));
      await read('l1', 20, { proofs: [proof(50, 11, 1, address(77)), ...crowd(0x1000, 12)] });
      await read('l1', 30, { proofs: [proof(51, 23, 1, bob), ...crowd(0x2000, 24)] });
      const submitters = (await due())[0]?.proofs.map(({ submitter }) => submitter) ?? [];
      expect(submitters).toHaveLength(64);
      expect(submitters).toContain(bob);
      expect(submitters).toContain(address(77));
    });

    test('games of a type are found by their L2 blocks', async () => {
      const made = [game(40, 11, 9), game(41, 12, 20), { ...game(42, 13, 30), gameType: 1 }, game(43, 14, 15)];
      await read('l1', 20, { games: made });
      const terms = { gameType: 0, createdFrom: 0 };
      const blocksOf = (found: readonly { readonly l2BlockNumber: number }[]) =>
        found.map(({ l2BlockNumber }) => l2BlockNumber);
      expect(blocksOf(await store.newestGames('main', terms, 2))).toEqual([20, 15]);
      expect(blocksOf(await store.newestGames('main', { ...terms, to: 19 }, 2))).toEqual([15, 9]);
      expect(blocksOf(await store.gamesAbout('main', terms, { from: 10, to: 20 }, 10))).toEqual([15, 20]);
      expect(blocksOf(await store.gamesAbout('main', terms, { from: 0, to: 19 }, 1))).toEqual([9]);
      const created = Math.floor(place(41, 12).blockTimeMs / 1000);
      const later = await store.newestGames('main', { gameType: 0, createdFrom: created + 1 }, 9);
      expect(blocksOf(later)).toEqual([15]);
    });

    test('the status of unproven withdrawals follows the newest root, a few at a time', async () => {
      await read('l2', 10, { withdrawals: [1, 2, 3, 4].map((number) => withdrawalFact(number, number)) });
      await rest();
      const statuses = async () => (await listed()).records.map(({ status }) => status).reverse();
      expect(await store.spread('main', 3, nowMs + 9, 2, await terms())).toBe(true);
      expect((await statuses()).filter((status) => status === 'ready_to_prove')).toHaveLength(2);
      while (await store.spread('main', 3, nowMs + 9, 2, await terms()));
      expect(await statuses()).toEqual([...Array(3).fill('ready_to_prove'), 'awaiting_state_root']);
      while (await store.spread('main', 1, nowMs + 9, 2, await terms()));
      expect(await statuses()).toEqual(['ready_to_prove', ...Array(3).fill('awaiting_state_root')]);
      while (await store.spread('main', undefined, nowMs + 9, 2, await terms()));
      expect(await statuses()).toEqual(Array(4).fill('awaiting_state_root'));
    });

    test('a decision is stored once, with its time, unless new facts were stored meanwhile', async () => {
      await read('l2', 10, { withdrawals: [withdrawalFact(1, 7)] });
      const [found] = await due();
      const { withdrawalId = '', revision = 0 } = found?.withdrawal ?? {};
      await read('l1', 20, { proofs: [proof(50, 12, 1)] });
      expect(await settle({ evaluations: [{ withdrawalId, revision, status: 'ready_to_prove' }] })).toBe(true);
      expect(await only()).toMatchObject({ status: 'initiated' });
      const [again] = await due();
      const windowEndsAtMs = nowMs + 50_000;
      const decided = {
        ...{ withdrawalId, revision: again?.withdrawal.revision ?? 0, status: 'in_dispute_window' as const },
        ...{ windowEndsAtMs, dueAtMs: windowEndsAtMs, proveTransaction: hash(50), proofSubmitter: alice },
      };
      expect(await settle({ evaluations: [decided] })).toBe(true);
      const { dueAtMs: _, revision: __, ...shown } = decided;
      expect(await only()).toMatchObject({ ...shown, updatedAtMs: nowMs + 5, statusChangedAtMs: nowMs + 5 });
      expect([await due(windowEndsAtMs - 1), (await due(windowEndsAtMs)).length]).toEqual([[], 1]);
    });

    test('the portal is returned as it was stored last; nothing is stored in another epoch or after the lease', async () => {
      const portal = { bridgeId: 'main', isPaused: true, maturitySeconds: 20, airGapSeconds: 6, respectedType: 0 };
      const state = { ...portal, respectedAt: 5 };
      expect(await store.portals(['main'])).toEqual([]);
      expect(await settle({ portal: { ...state, coveredTo: 5 } })).toBe(true);
      expect(await settle({ portal: state })).toBe(true);
      expect(await opened.other.portals(['main', 'else'])).toEqual([state]);
      const old = await terms();
      await read('l1', 20, {});
      await undo('l1', 10);
      const changes = { portal: { ...state, isPaused: false }, nowMs };
      expect(await store.settle('main', changes, old)).toBe(false);
      await opened.leases.release(lease);
      expect(await store.settle('main', changes, await terms())).toBe(false);
      expect(await store.portals(['main'])).toEqual([state]);
    });
  });
}
