/** The guarantees of `PolicyStore` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { auditNote } from '../../test/fixtures/audited.ts';
import type { PolicyRecord } from './policy.ts';
import type { PolicyStore } from './policy-store.ts';

export type OpenedPolicies = {
  readonly store: PolicyStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: PolicyStore;
  /** The actions in the audit log, with their targets. */
  readonly audited: () => Promise<readonly string[]>;
  /** Stores an API key of this user. */
  readonly mint: (userId: string, keyId: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

let made = 0;

export function policyRecord(more: Partial<PolicyRecord> = {}): PolicyRecord {
  made += 1;
  return {
    policyId: `pol_${String(made).padStart(26, '0')}`,
    ownerId: 'alice',
    effect: 'deny',
    subjects: ['*'],
    resource: { kind: 'network', id: 'ethereum/dev' },
    createdAtMs: 1_800_000_000_000 + made,
    updatedAtMs: 1_800_000_000_000 + made,
    ...more,
  };
}

export function policyStoreContract(engine: string, open: () => Promise<OpenedPolicies>): void {
  describe(`policy store on ${engine}`, () => {
    let opened: OpenedPolicies;
    let store: PolicyStore;
    let other: PolicyStore;
    beforeEach(async () => {
      opened = await open();
      ({ store, other } = opened);
    });
    afterEach(() => opened.close());

    const note = (action: 'policy.created' | 'policy.updated' | 'policy.deleted', target: string) =>
      auditNote({ action, target });
    const insert = async (more: Partial<PolicyRecord> = {}, limit = 1_000, by = store) => {
      const policy = policyRecord(more);
      return { policy, stored: await by.insertIfUnder(policy, limit, note('policy.created', policy.policyId)) };
    };
    const remove = ({ ownerId, policyId }: PolicyRecord, by = store) =>
      by.remove(ownerId, policyId, note('policy.deleted', policyId));
    const owners = async (since: number) =>
      (await other.changedSince(since, 100)).map(({ ownerId, policies }) => `${ownerId}: ${policies}`);

    test('an inserted policy is found with all members, by its owner only', async () => {
      for (const more of [
        {},
        {
          name: 'Ünïcödé \' " ; --',
          effect: 'allow',
          subjects: ['user:a:b', 'role:☃'],
          methods: ['eth_*', 'net_version'],
        },
        { ownerId: '', resource: { kind: 'contract', id: '*' }, selectors: ['0xa9059cbb'] },
      ] as const) {
        const { policy, stored } = await insert(more);
        expect(stored).toBe(true);
        for (const each of [store, other]) {
          expect((await each.find(policy.ownerId, policy.policyId))?.policy).toEqual(policy);
          expect(await each.find('unknown', policy.policyId)).toBeUndefined();
        }
      }
      expect(await store.find('alice', 'pol_none')).toBeUndefined();
    });

    test('twenty concurrent insertions from two processes with a limit of five store five; another owner has another limit (contract/firewall#policies)', async () => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, at) => insert({}, 5, at % 2 === 0 ? store : other)),
      );
      expect(results.filter(({ stored }) => stored)).toHaveLength(5);
      expect((await insert({ ownerId: 'bob' }, 5)).stored).toBe(true);
      const [first] = results.filter(({ stored }) => stored);
      expect(first !== undefined && (await remove(first.policy))).toBe(true);
      expect((await insert({}, 5)).stored).toBe(true);
      expect((await insert({}, 5)).stored).toBe(false);
      expect((await opened.audited()).filter((each) => each.startsWith('policy.created'))).toHaveLength(7);
    });

    test('a list has the policies of its owner, newest first, each once over all pages', async () => {
      const ids: string[] = [];
      for (let at = 0; at < 5; at++)
        ids.unshift((await insert({ createdAtMs: 1_800_000_000_000 + at })).policy.policyId);
      await insert({ ownerId: 'bob' });
      const seen: string[] = [];
      let page = await store.list('alice', { limit: 2 });
      for (;;) {
        seen.push(...page.records.map(({ policyId }) => policyId));
        if (page.next === undefined) break;
        page = await store.list('alice', { limit: 2, after: page.next });
      }
      expect(seen).toEqual(ids);
    });

    test('a page ends with the policy that takes it beyond 1 MiB', async () => {
      const subjects = Array.from({ length: 100 }, (_, at) => `user:${String(at).padStart(250, 'x')}`);
      for (let at = 0; at < 45; at++) await insert({ subjects });
      const { records, next } = await store.list('alice', { limit: 100 });
      expect(records.length).toBeGreaterThan(35);
      expect(records.length).toBeLessThan(45);
      expect(next).toBeDefined();
      expect(
        (await store.list('alice', { limit: 100, ...(next === undefined ? {} : { after: next }) })).records,
      ).toHaveLength(45 - records.length);
    });

    test('a change replaces the version that was read, exactly one of ten concurrent changes succeeds, and it is audited', async () => {
      const { policy } = await insert({ name: 'before', methods: ['eth_call'] });
      const seen = await store.find('alice', policy.policyId);
      const { name, methods, ...bare } = policy;
      const changes = Array.from({ length: 10 }, (_, at) => ({
        ...bare,
        effect: 'allow' as const,
        subjects: [`user:${at}`],
        resource: { kind: 'node' as const, id: 'node_1' },
        updatedAtMs: policy.updatedAtMs + 1 + at,
      }));
      const outcomes = await Promise.all(
        changes.map((each, at) =>
          (at % 2 === 0 ? store : other).replace(each, seen?.revision ?? -1, note('policy.updated', policy.policyId)),
        ),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const [winner] = changes.filter((_, at) => outcomes[at]);
      const now = await other.find('alice', policy.policyId);
      expect(now?.policy).toEqual(winner ?? policy);
      expect(now?.revision ?? 0).toBeGreaterThan(seen?.revision ?? 0);
      expect((await opened.audited()).filter((each) => each.startsWith('policy.updated'))).toEqual([
        `policy.updated ${policy.policyId}`,
      ]);
      expect(name === undefined || methods === undefined).toBe(false);
    });

    test('a policy is deleted once, by its owner, and is not changed afterwards', async () => {
      const { policy } = await insert();
      const seen = await store.find('alice', policy.policyId);
      expect(await remove({ ...policy, ownerId: 'bob' })).toBe(false);
      expect(await Promise.all([remove(policy), remove(policy, other)])).toContain(true);
      expect(await remove(policy)).toBe(false);
      expect(await store.replace(policy, seen?.revision ?? 0, note('policy.updated', policy.policyId))).toBe(false);
      expect(await opened.audited()).toEqual([
        `policy.created ${policy.policyId}`,
        `policy.deleted ${policy.policyId}`,
      ]);
    });

    test('every change raises the revision and lists its owner with the number of remaining policies (docs/decisions/0078)', async () => {
      const start = await store.readRevision();
      const { policy } = await insert();
      await insert({ ownerId: '' });
      await insert();
      const middle = await other.readRevision();
      expect(middle).toBe(start + 3);
      expect(await owners(start)).toEqual([': 1', 'alice: 2']);
      await remove(policy);
      expect(await owners(middle)).toEqual(['alice: 1']);
      expect((await other.writtenSince('alice', middle, 10)).length).toBe(0);
      expect(await other.idsOf('alice', 10)).toHaveLength(1);
      expect(await other.readRevision()).toBe(start + 4);
    });

    test('a refused change does not raise the revision and lists no owner', async () => {
      const { policy } = await insert();
      const revision = await store.readRevision();
      expect((await insert({}, 1)).stored).toBe(false);
      expect(await remove({ ...policy, policyId: 'pol_none' })).toBe(false);
      expect(await store.replace(policy, 0, note('policy.updated', policy.policyId))).toBe(false);
      expect(await store.readRevision()).toBe(revision);
    });

    test('an owner without remaining policies is listed only for gateways that knew of some', async () => {
      const { policy } = await insert();
      const known = await store.readRevision();
      await remove(policy);
      expect(await owners(known)).toEqual(['alice: 0']);
      expect(await owners(0)).toEqual([]);
    });

    test('later policies are read in the order of writing, page by page', async () => {
      const first = await insert({ ownerId: '' });
      const since = (await store.find('', first.policy.policyId))?.revision ?? 0;
      const second = await insert({ ownerId: '' });
      const third = await insert({ ownerId: '' });
      const seen = await store.find('', second.policy.policyId);
      await store.replace(
        { ...second.policy, subjects: ['user:x'] },
        seen?.revision ?? 0,
        note('policy.updated', second.policy.policyId),
      );
      const idsFrom = async (revision: number, limit: number) =>
        (await other.writtenSince('', revision, limit)).map(({ policy: { policyId } }) => policyId);
      expect(await idsFrom(since, 10)).toEqual([third.policy.policyId, second.policy.policyId]);
      const [next] = await other.writtenSince('', since, 1);
      expect(await idsFrom(next?.revision ?? 0, 1)).toEqual([second.policy.policyId]);
    });

    test("of named API keys the user's own are found", async () => {
      await opened.mint('alice', 'A'.repeat(16));
      await opened.mint('bob', 'B'.repeat(16));
      expect(await store.keysOf('alice', ['A'.repeat(16), 'B'.repeat(16), 'C'.repeat(16)])).toEqual(['A'.repeat(16)]);
      expect(await store.keysOf('alice', [])).toEqual([]);
    });
  });
}
