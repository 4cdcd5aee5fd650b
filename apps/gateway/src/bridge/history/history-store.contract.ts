/** The guarantees of `bridge/history/history-store.ts` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { type HistoryRecord, type HistoryType, historyTypes } from './history-record.ts';
import type { HistoryPageRequest, HistorySearch, HistoryStore } from './history-store.ts';

/** A record as it is stored: the same members for every type. */
export type StoredRecord = {
  readonly type: HistoryType;
  readonly id: string;
  readonly partition: string;
  readonly from: string;
  readonly to: string;
  readonly sender?: string;
  readonly createdAtMs: number;
  readonly lostAtMs?: number;
};

export type OpenedHistory = {
  readonly store: HistoryStore;
  readonly add: (records: readonly StoredRecord[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

const prefixes = { deposit: 'dep', swap: 'swp', withdrawal: 'wdr' } as const;
const roles = { deposit: ['from', 'to'], swap: ['from', 'sender', 'to'], withdrawal: ['from', 'to'] } as const;

export function historyStoreContract(engine: string, open: () => Promise<OpenedHistory>): void {
  describe(`history store on ${engine}`, () => {
    let opened: OpenedHistory;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const searchesOf = (addresses: readonly string[], types: readonly HistoryType[] = historyTypes): HistorySearch[] =>
      types.flatMap((type) =>
        roles[type].map((role) => ({
          ...{ type, role },
          places: addresses.flatMap((address) => ['main', 'other'].map((partition) => ({ address, partition }))),
        })),
      );
    async function walk(
      searches: readonly HistorySearch[],
      limit: number,
      more: Partial<HistoryPageRequest> = {},
      between: () => Promise<void> = async () => {},
    ): Promise<HistoryRecord[]> {
      const all: HistoryRecord[] = [];
      let after = more.page?.after;
      do {
        const page = after === undefined ? { limit } : { limit, after };
        const { records, next } = await opened.store.page(searches, { ...more, page });
        expect(records.length).toBeLessThanOrEqual(limit);
        all.push(...records);
        after = next;
        await between();
      } while (after !== undefined);
      return all;
    }
    const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
    const inOrder = (records: readonly StoredRecord[]) =>
      ids(records.toSorted((one, other) => other.createdAtMs - one.createdAtMs || (one.id < other.id ? 1 : -1)));
    const record = (type: HistoryType, nth: number, members: Partial<StoredRecord> = {}): StoredRecord => ({
      ...{ type, id: `${prefixes[type]}_${1000 + nth}`, partition: 'main', from: 'alice', to: 'bob', createdAtMs: nth },
      ...members,
    });

    test('an entry of each type has the expected members', async () => {
      await opened.add([record('deposit', 1), record('withdrawal', 2), record('swap', 3, { sender: 'router' })]);
      const ends = { from: 'alice', to: 'bob' };
      const crossing = {
        ...ends,
        bridgeId: 'main',
        kind: 'token',
        token: { l1: 'token1', l2: 'token2' },
        amount: '7',
      } as const;
      expect(await walk(searchesOf(['alice']), 5)).toEqual([
        {
          ...{
            type: 'swap',
            id: 'swp_1003',
            streamId: 'main',
            createdAtMs: 3,
            status: 'completed',
            ...ends,
            sender: 'router',
          },
          ...{ transactionHash: 'hash swp_1003', tokenIn: 'in', amountIn: '1', tokenOut: 'out', amountOut: '2' },
        },
        {
          ...{ type: 'withdrawal', id: 'wdr_1002', createdAtMs: 2, status: 'finalised', ...crossing },
          transactions: [
            { side: 'l2', hash: 'hash wdr_1002', purpose: 'initiation' },
            { side: 'l1', hash: 'proof', purpose: 'proof' },
            { side: 'l1', hash: 'finalisation', purpose: 'finalisation' },
          ],
        },
        {
          ...{ type: 'deposit', id: 'dep_1001', createdAtMs: 1, status: 'completed', ...crossing },
          transactions: [
            { side: 'l1', hash: 'hash dep_1001', purpose: 'deposit' },
            { side: 'l2', hash: 'arrival', purpose: 'arrival' },
          ],
        },
      ]);
    });

    test('all types in one list by time and id, each record once even if several wallets are in it; filters by type, wallet and time', async () => {
      const chance = chanceFrom(11);
      const names = ['alice', 'bob', 'carol', 'dave', 'router'];
      const pick = () => names[chance(names.length)] ?? '';
      const all = Array.from({ length: 160 }, (_, at): StoredRecord => {
        const type = historyTypes[chance(3)] ?? 'swap';
        const partition = ['main', 'other', 'elsewhere'][chance(3)] ?? '';
        // Many at the same time.
        return record(type, at, { from: pick(), to: pick(), sender: pick(), partition, createdAtMs: chance(12) });
      });
      await opened.add(all);
      const expected = (addresses: readonly string[], types: readonly HistoryType[] = historyTypes) =>
        all.filter(
          ({ type, partition, from, to, sender = '' }) =>
            types.includes(type) &&
            partition !== 'elsewhere' &&
            [from, to, ...(type === 'swap' ? [sender] : [])].some((address) => addresses.includes(address)),
        );
      for (const limit of [1, 7, 100])
        expect(ids(await walk(searchesOf(['alice', 'bob']), limit))).toEqual(inOrder(expected(['alice', 'bob'])));
      for (const type of historyTypes)
        expect(ids(await walk(searchesOf(['carol'], [type]), 3))).toEqual(inOrder(expected(['carol'], [type])));
      const within = expected(['alice', 'dave']).filter(({ createdAtMs }) => createdAtMs > 3 && createdAtMs < 9);
      expect(within.length).toBeGreaterThan(20);
      const times = { newerThanMs: 3, page: { limit: 4, after: { atMs: 9, id: '' } } };
      expect(ids(await walk(searchesOf(['alice', 'dave']), 4, times))).toEqual(inOrder(within));
      expect(await walk([], 5)).toEqual([]);
    });

    test('records that existed are each returned once, while others arrive between the pages', async () => {
      const before = Array.from({ length: 40 }, (_, at) =>
        record(historyTypes[at % 3] ?? 'swap', at, { createdAtMs: Math.floor(at / 5) }),
      );
      await opened.add(before);
      let round = 0;
      const met = await walk(searchesOf(['alice', 'bob']), 4, {}, async () => {
        round += 1;
        if (round > 8) return;
        const some = historyTypes.flatMap((type, at) =>
          Array.from({ length: 8 }, (_, nth) => record(type, 1000 * round + 10 * at + nth, { createdAtMs: nth })),
        );
        await opened.add(some);
      });
      expect(new Set(ids(met)).size).toBe(met.length);
      const old = new Set(ids(before));
      expect(ids(met).filter((id) => old.has(id))).toEqual(inOrder(before));
    });

    test('a swap whose block is lost is on no page, and does not end a page early', async () => {
      const lost = Array.from({ length: 9 }, (_, at) => record('swap', 10 + at, { lostAtMs: 5 }));
      await opened.add([record('swap', 1), record('deposit', 2), record('swap', 30), ...lost]);
      const expected = ['swp_1030', 'dep_1002', 'swp_1001'];
      for (const limit of [1, 2, 5]) expect(ids(await walk(searchesOf(['bob']), limit))).toEqual(expected);
    });
  });
}
