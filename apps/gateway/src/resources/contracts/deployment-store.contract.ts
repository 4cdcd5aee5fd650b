/** The guarantees of `DeploymentStore` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Lease, LeaseStore } from '@flowgate/sql/coordination/lease-store';
import type { DeploymentRecord, DeploymentState } from './deployment.ts';
import type { DeploymentFilter, DeploymentStore } from './deployment-store.ts';

export type OpenedDeployments = {
  readonly store: DeploymentStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: DeploymentStore;
  readonly leases: LeaseStore;
  readonly close: () => Promise<void>;
};

const startMs = 1_800_000_000_000;
const farMs = startMs + 86_400_000;
let made = 0;

export function deploymentRecord(more: Partial<DeploymentRecord> = {}): DeploymentRecord {
  made += 1;
  const createdAtMs = more.createdAtMs ?? startMs + made;
  return {
    deploymentId: `dep_${String(made).padStart(26, '0')}`,
    userId: 'alice',
    dlt: 'ethereum',
    networkId: 'dev',
    transactionHash: `0x${made.toString(16).padStart(64, '0')}`,
    deployer: `0x${'ab'.repeat(20)}`,
    // A nonce beyond a 64-bit integer.
    nonce: '18446744073709551614',
    address: `0x${'cd'.repeat(20)}`,
    status: 'pending',
    unseenSinceMs: createdAtMs,
    dueAtMs: createdAtMs + 1_000,
    claims: 1,
    createdAtMs,
    ...more,
  };
}

export function deploymentStoreContract(engine: string, open: () => Promise<OpenedDeployments>): void {
  describe(`deployment store on ${engine}`, () => {
    let opened: OpenedDeployments;
    let store: DeploymentStore;
    let lease: Lease;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      const attempt = await opened.leases.acquire('deployed contracts', 'one', 60_000);
      if (!attempt.acquired) throw new Error('the lease was acquired');
      lease = attempt.lease;
    });
    afterEach(() => opened.close());

    const begin = (records: readonly DeploymentRecord[], limit = 100, by = store) => by.begin(records, limit, 0);
    const begun = async (more: Partial<DeploymentRecord> = {}, limit = 100) => {
      const record = deploymentRecord(more);
      await begin([record], limit);
      return record;
    };
    const listed = async (userId = 'alice', filter: DeploymentFilter = {}, by = store) =>
      (await by.list(userId, filter, { limit: 100 })).records;
    const dueOf = (nowMs = farMs, by = store) => by.due('ethereum', 'dev', nowMs, 100);
    const settle = (deployment: DeploymentRecord, state: DeploymentState, by = store, fence = lease) =>
      by.settle([{ deployment, state }], fence, false);

    test('a stored record is found with all members, also over another connection, and is due at its time', async () => {
      const record = await begun();
      for (const by of [store, opened.other]) {
        expect(await listed('alice', {}, by)).toEqual([record]);
        expect(await dueOf((record.dueAtMs ?? 0) - 1, by)).toEqual([]);
        expect(await dueOf(record.dueAtMs, by)).toEqual([record]);
      }
      expect(await store.due('ethereum', 'other', farMs, 100)).toEqual([]);
      expect(await listed('bob')).toEqual([]);
    });

    test('sending the same transaction again adds a claim to its record; another user or network has another record', async () => {
      const record = await begun();
      const again = { ...deploymentRecord(), transactionHash: record.transactionHash };
      expect(await begin([again], 100, opened.other)).toEqual(new Map([[record.transactionHash, record.deploymentId]]));
      expect(await listed()).toEqual([{ ...record, claims: 2 }]);
      const bobs = await begun({ userId: 'bob', transactionHash: record.transactionHash });
      expect(await listed('bob')).toEqual([bobs]);
      await begun({ networkId: 'other', transactionHash: record.transactionHash });
      expect(await listed()).toHaveLength(2);
    });

    test('twenty concurrent calls with the same transactions, from two processes, create one record each and count their claims', async () => {
      const hashes = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(64)}`);
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, at) => {
          const records = hashes.map((transactionHash) => deploymentRecord({ transactionHash }));
          return begin(at % 3 === 0 ? records.reverse() : records, 100, at % 2 === 0 ? store : opened.other);
        }),
      );
      const stored = await listed();
      expect(stored.map(({ transactionHash, claims }) => [transactionHash, claims]).sort()).toEqual(
        hashes.map((hash) => [hash, 20]),
      );
      for (const each of ids)
        expect(each).toEqual(
          new Map(stored.map(({ transactionHash, deploymentId }) => [transactionHash, deploymentId])),
        );
    });

    test('a withdrawn record is deleted, unless another call has a claim or it was seen in a block or settled', async () => {
      const [gone, claimed, mined, settled] = [await begun(), await begun(), await begun(), await begun()];
      await begin([{ ...deploymentRecord(), transactionHash: claimed.transactionHash }]);
      await settle(mined, { status: 'pending', blockNumber: 3, blockHash: `0x${'1'.repeat(64)}`, dueAtMs: farMs });
      await settle(settled, {
        status: 'failed',
        failureReason: 'dropped',
        settledAtMs: startMs,
        settledBlock: 1,
        dueAtMs: farMs,
      });
      const all = [gone, claimed, mined, settled];
      await opened.other.takeBack(all.map(({ deploymentId }) => deploymentId));
      const left = [claimed, mined, settled].map(({ deploymentId }) => deploymentId).sort();
      expect((await listed()).map(({ deploymentId }) => deploymentId).sort()).toEqual(left);
      await store.takeBack([claimed.deploymentId, 'dep_none']);
      expect((await listed()).map(({ deploymentId }) => deploymentId)).not.toContain(claimed.deploymentId);
    });

    test('the leader’s findings are written with all members, and none after its lease ends', async () => {
      const record = await begun();
      const { unseenSinceMs: _, dueAtMs: __, ...rest } = record;
      const state: DeploymentState = {
        status: 'failed',
        failureReason: 'reverted',
        blockNumber: 7,
        blockHash: `0x${'2'.repeat(64)}`,
        settledAtMs: startMs + 5,
        settledBlock: 8,
        dueAtMs: startMs + 6,
      };
      await settle(record, state);
      expect(await listed()).toEqual([{ ...rest, ...state }]);
      const { dueAtMs: ___, ...ended } = state;
      await settle(record, ended);
      expect(await listed()).toEqual([{ ...rest, ...ended }]);
      expect(await dueOf()).toEqual([]);
      await opened.leases.release(lease);
      await settle(record, { status: 'pending', dueAtMs: startMs });
      expect(await listed()).toEqual([{ ...rest, ...ended }]);
    });

    test('a finding about a deployment that was sent again or withdrawn meanwhile is not written', async () => {
      const [again, gone] = [await begun(), await begun()];
      await begin([{ ...deploymentRecord(), transactionHash: again.transactionHash }], 100, opened.other);
      await store.takeBack([gone.deploymentId]);
      const dropped = { status: 'failed', failureReason: 'dropped', settledAtMs: startMs, settledBlock: 1 } as const;
      await store.settle(
        [
          { deployment: again, state: dropped },
          { deployment: gone, state: dropped },
        ],
        lease,
        false,
      );
      expect(await listed()).toEqual([{ ...again, claims: 2 }]);
    });

    test('a dropped deployment that is sent again is pending and followed again; replaced and deployed ones do not change', async () => {
      const [dropped, replaced, deployed] = [await begun(), await begun(), await begun()];
      const settled = { settledAtMs: startMs, settledBlock: 1 };
      await settle(dropped, { status: 'failed', failureReason: 'dropped', unseenSinceMs: 5, ...settled });
      await settle(replaced, { status: 'failed', failureReason: 'replaced', ...settled });
      await settle(deployed, { status: 'deployed', blockNumber: 1, blockHash: `0x${'3'.repeat(64)}`, ...settled });
      for (const { transactionHash } of [dropped, replaced, deployed])
        await begin([deploymentRecord({ transactionHash, createdAtMs: farMs })]);
      const byId = new Map((await listed()).map((record) => [record.deploymentId, record]));
      expect(byId.get(dropped.deploymentId)).toEqual({
        ...dropped,
        claims: 2,
        unseenSinceMs: farMs,
        dueAtMs: farMs + 1_000,
      });
      expect(byId.get(replaced.deploymentId)).toMatchObject({ status: 'failed', failureReason: 'replaced', claims: 2 });
      expect(byId.get(deployed.deploymentId)).toMatchObject({ status: 'deployed', blockNumber: 1, claims: 2 });
      expect((await dueOf(farMs + 1_000)).map(({ deploymentId }) => deploymentId)).toEqual([dropped.deploymentId]);
    });

    test('at the limit the oldest unfollowed record is deleted; while all are followed, no record is added', async () => {
      const records = [await begun({}, 3), await begun({}, 3), await begun({}, 3)];
      const [first, second, third] = records.map(({ deploymentId }) => deploymentId);
      const refused = deploymentRecord();
      expect(await begin([refused], 3)).toEqual(new Map());
      const again = deploymentRecord({ transactionHash: records[0]?.transactionHash ?? '' });
      expect(await begin([again], 3)).toEqual(new Map([[again.transactionHash, first ?? '']]));
      expect((await begun({ userId: 'bob' }, 3)).userId).toBe('bob');
      const settled = { status: 'deployed', settledAtMs: startMs, settledBlock: 1 } as const;
      await settle(records[1] ?? refused, settled);
      await settle(records[2] ?? refused, settled);
      const fourth = await begun({}, 3);
      expect((await listed()).map(({ deploymentId }) => deploymentId)).toEqual([
        fourth.deploymentId,
        ...[third ?? '', first ?? ''],
      ]);
      expect(await listed('bob')).toHaveLength(1);
      expect((await listed()).map(({ deploymentId }) => deploymentId)).not.toContain(second ?? '');
    });

    test('the more deployments of a user are followed, the later the next is due', async () => {
      const records = Array.from({ length: 5 }, () => deploymentRecord({ createdAtMs: startMs }));
      for (const record of records) await store.begin([record], 100, 20);
      await store.begin([deploymentRecord({ userId: 'bob', createdAtMs: startMs })], 100, 20);
      const dues = (await listed()).map(({ dueAtMs = 0 }) => dueAtMs - startMs - 1_000);
      expect(dues.sort((left, right) => left - right)).toEqual([0, 20, 40, 60, 80]);
      expect((await listed('bob'))[0]?.dueAtMs).toBe(startMs + 1_000);
      expect(await store.followed(['alice', 'bob', 'carol'])).toEqual(
        new Map([
          ['alice', 5],
          ['bob', 1],
        ]),
      );
    });

    test('due deployments are listed oldest due time first, up to the limit', async () => {
      const later = await begun({ dueAtMs: startMs + 20 });
      const sooner = await begun({ dueAtMs: startMs + 10 });
      expect(await store.due('ethereum', 'dev', farMs, 1)).toEqual([sooner]);
      expect(await store.due('ethereum', 'dev', farMs, 5)).toEqual([sooner, later]);
    });

    test("pages list the user's own records that match the filter once each, newest first", async () => {
      const mine: DeploymentRecord[] = [];
      for (let at = 0; at < 7; at++)
        mine.unshift(
          await begun({
            // Several in the same millisecond, as in a batch.
            createdAtMs: startMs + Math.floor(at / 3),
            ...(at % 2 === 0 ? {} : { dlt: 'other', networkId: at === 1 ? 'dev' : 'far' }),
          }),
        );
      await begun({ userId: 'bob' });
      const [failing] = mine;
      if (failing === undefined) throw new Error('no record was stored');
      await settle(failing, { status: 'failed', failureReason: 'replaced' });
      const seen = async (filter: DeploymentFilter, limit: number) => {
        const ids: string[] = [];
        let page = await store.list('alice', filter, { limit });
        for (;;) {
          expect(page.records.length).toBeLessThanOrEqual(limit);
          ids.push(...page.records.map(({ deploymentId }) => deploymentId));
          if (page.next === undefined) return ids;
          page = await store.list('alice', filter, { limit, after: page.next });
        }
      };
      const idsOf = (records: readonly DeploymentRecord[]) => records.map(({ deploymentId }) => deploymentId);
      for (const limit of [1, 2, 7, 100]) expect(await seen({}, limit)).toEqual(idsOf(mine));
      expect(await seen({ dlt: 'other' }, 2)).toEqual(idsOf(mine.filter(({ dlt }) => dlt === 'other')));
      expect(await seen({ networkId: 'dev' }, 2)).toEqual(idsOf(mine.filter(({ networkId }) => networkId === 'dev')));
      expect(await seen({ dlt: 'other', networkId: 'dev' }, 2)).toHaveLength(1);
      expect(await seen({ status: 'failed' }, 2)).toEqual([failing.deploymentId]);
      expect(await seen({ status: 'pending' }, 2)).toEqual(idsOf(mine.slice(1)));
      expect(await seen({ status: 'deployed' }, 2)).toEqual([]);
    });
  });
}
