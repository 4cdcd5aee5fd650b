/** The guarantees of `NodeStore` as tests that every engine runs (contract/nodes#duplicates). */

import { expect, test } from 'bun:test';
import { auditNote } from '../../../test/fixtures/audited.ts';
import type { OpenedEngine } from '../../../test/fixtures/sql-engines.ts';
import type { AddressDigests } from './node-address.ts';
import type { CheckOutcome, NodeRecord, NodeStore } from './node-store.ts';

export type OpenedNodeStore = {
  readonly store: NodeStore;
  /** The store of another gateway. */
  readonly other: NodeStore;
  readonly database: OpenedEngine['database'];
};

let serial = 0;

export function nodeRecord(more: Partial<NodeRecord> = {}): NodeRecord {
  serial++;
  return {
    nodeId: `node_${String(serial).padStart(26, '0')}`,
    ownerId: 'alice',
    dlt: 'ethereum',
    networkId: 'dev',
    kind: 'public',
    sealedUrl: `sealed ${serial}`,
    addressDigest: `digest ${serial}`,
    shared: false,
    cordoned: false,
    status: 'pending',
    isOnOtherChain: false,
    createdAtMs: 1_000 + serial,
    ...more,
  };
}

const note = auditNote({ action: 'node.created', target: 'node' });
const digestsOf = ({ addressDigest }: NodeRecord): AddressDigests => [addressDigest];
const outcome = (record: NodeRecord, more: Partial<CheckOutcome> = {}): CheckOutcome => ({
  nodeId: record.nodeId,
  addressDigest: record.addressDigest,
  status: 'healthy',
  isOnOtherChain: false,
  blockHeight: 17,
  latencyMs: 3,
  checkedAtMs: 5_000,
  ...more,
});

export function nodeStoreContract(open: () => Promise<OpenedNodeStore>): void {
  const insert = (store: NodeStore, record: NodeRecord, limit = 20) =>
    store.insertIfFree(record, digestsOf(record), limit, note);

  test('a stored node is found, listed and loaded with all members', async () => {
    const { store, other } = await open();
    const full = nodeRecord({ label: 'ä', providerId: 'alchemy', kind: 'private' });
    const bare = nodeRecord();
    expect([await insert(store, full), await insert(store, bare)]).toEqual(['stored', 'stored']);
    expect(await other.find(full.nodeId)).toEqual(full);
    expect((await other.list('alice', {}, { limit: 10 })).records).toEqual([bare, full]);
    expect((await other.list(undefined, {}, { limit: 10 })).records).toEqual([bare, full]);
    expect((await other.load(undefined)).changed.toSorted((a, b) => a.createdAtMs - b.createdAtMs)).toEqual([
      full,
      bare,
    ]);
    expect(await other.findAll([bare.nodeId, 'node_none'])).toEqual([bare]);
    expect(await other.find('node_none')).toBeUndefined();
  });

  test('one of thirty concurrent registrations of one address, on two gateways, is stored (contract/nodes#duplicates)', async () => {
    const { store, other } = await open();
    const records = Array.from({ length: 30 }, (_, at) => nodeRecord({ ownerId: `user ${at}`, addressDigest: 'same' }));
    const outcomes = await Promise.all(records.map((record, at) => insert(at % 2 === 0 ? store : other, record)));
    expect(outcomes.filter((each) => each === 'stored')).toHaveLength(1);
    expect(outcomes.filter((each) => each === 'duplicate')).toHaveLength(29);
    expect((await store.list(undefined, {}, { limit: 100 })).records).toHaveLength(1);
  });

  test('thirty concurrent registrations of one user store as many nodes as the limit allows (contract/nodes#registering)', async () => {
    const { store, other } = await open();
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, at) => insert(at % 2 === 0 ? store : other, nodeRecord(), 7)),
    );
    expect(outcomes.filter((each) => each === 'stored')).toHaveLength(7);
    expect(outcomes.filter((each) => each === 'full')).toHaveLength(23);
    expect(await insert(store, nodeRecord({ ownerId: 'bob' }), 7)).toBe('stored');
  });

  test('a digest under another pepper is a duplicate too', async () => {
    const { store } = await open();
    await insert(store, nodeRecord({ addressDigest: 'under the old pepper' }));
    const again = nodeRecord({ addressDigest: 'under the new pepper' });
    expect(await store.refusal('bob', ['under the new pepper', 'under the old pepper'], 20)).toBe('duplicate');
    expect(await store.insertIfFree(again, ['under the new pepper', 'under the old pepper'], 20, note)).toBe(
      'duplicate',
    );
  });

  test('a removed node is absent for all users, its row contains no data of it, and its address is free (contract/nodes#deleting)', async () => {
    const { store, other, database } = await open();
    const record = nodeRecord({ label: 'mine', providerId: 'alchemy', addressDigest: 'freed' });
    await insert(store, record);
    const { revision } = await other.load(undefined);
    expect(await store.remove(record.nodeId, 'bob', note)).toBe(false);
    expect(await store.remove(record.nodeId, 'alice', note)).toBe(true);
    expect(await store.remove(record.nodeId, 'alice', note)).toBe(false);
    expect(await other.find(record.nodeId)).toBeUndefined();
    expect((await other.list('alice', {}, { limit: 10 })).records).toEqual([]);
    expect(await other.load(revision)).toMatchObject({ changed: [], removed: [record.nodeId] });
    expect((await other.load(undefined)).changed).toEqual([]);
    const [row] = await database.query('SELECT * FROM nodes', []);
    expect(JSON.stringify(row)).not.toMatch(/sealed \d|mine|alchemy|freed/);
    expect(await insert(other, nodeRecord({ addressDigest: 'freed' }))).toBe('stored');
    await store.forgetRemoved(Number.MAX_SAFE_INTEGER);
    expect(await database.query('SELECT node_id FROM nodes', [])).toHaveLength(1);
  });

  test('other gateways load changed nodes only', async () => {
    const { store, other } = await open();
    const [first, second] = [nodeRecord(), nodeRecord()];
    await insert(store, first);
    await insert(store, second);
    const { revision } = await other.load(undefined);
    expect(await other.readRevision()).toBe(revision);
    expect(await store.change(first.nodeId, 'alice', { label: 'new' }, note)).toBe('changed');
    expect(await store.change(first.nodeId, 'bob', { label: 'bob' }, note)).toBe('absent');
    expect(await store.change(first.nodeId, undefined, { shared: true, cordoned: true }, note)).toBe('changed');
    const loaded = await other.load(revision);
    expect(loaded.changed).toEqual([{ ...first, label: 'new', shared: true, cordoned: true }]);
    expect(loaded.revision).toBe(await store.readRevision());
    expect(await store.change(first.nodeId, 'alice', { label: null }, note)).toBe('changed');
    expect(await store.find(first.nodeId)).toEqual({ ...first, shared: true, cordoned: true });
  });

  test('a new URL must be unique, too, and makes the node pending again', async () => {
    const { store } = await open();
    const [mine, others] = [nodeRecord(), nodeRecord({ ownerId: 'bob' })];
    await insert(store, mine);
    await insert(store, others);
    await store.recordChecks([outcome(mine)], true);
    const url = { sealedUrl: 'sealed again', digests: digestsOf(others), providerId: 'infura' };
    expect(await store.change(mine.nodeId, 'alice', { url }, note)).toBe('duplicate');
    expect(await store.change(mine.nodeId, 'alice', { url: { ...url, digests: digestsOf(mine) } }, note)).toBe(
      'changed',
    );
    expect(await store.find(mine.nodeId)).toEqual({ ...mine, sealedUrl: 'sealed again', providerId: 'infura' });
    expect(await store.refusal('alice', digestsOf(mine), 20, mine.nodeId)).toBeUndefined();
  });

  test('outcomes of checks are stored in one statement, except older ones and those of former URLs', async () => {
    const { store, other } = await open();
    const records = Array.from({ length: 250 }, () => nodeRecord());
    for (const record of records.slice(0, 3)) await insert(store, record);
    const { revision } = await other.load(undefined);
    await store.recordChecks(
      records.map((record) => outcome(record)),
      false,
    );
    expect((await other.find(records[1]?.nodeId ?? ''))?.blockHeight).toBe(17);
    expect(await other.load(revision)).toMatchObject({ revision, changed: [] });
    const [one, two, three] = records;
    if (one === undefined || two === undefined || three === undefined) throw new Error('no records');
    const failed = { status: 'unhealthy', isOnOtherChain: true, blockHeight: undefined, latencyMs: undefined } as const;
    await store.recordChecks([outcome(one, { ...failed, checkedAtMs: 6_000 })], true);
    await store.recordChecks([outcome(two, { ...failed, checkedAtMs: 4_000 })], true);
    await store.recordChecks([outcome(three, { ...failed, addressDigest: 'another', checkedAtMs: 6_000 })], true);
    const { changed } = await other.load(revision);
    expect(changed).toEqual([
      { ...one, status: 'unhealthy', isOnOtherChain: true, blockHeight: 17, latencyMs: 3, checkedAtMs: 6_000 },
    ]);
    expect((await other.find(three.nodeId))?.status).toBe('healthy');
  });

  test('pages are newest first, without gaps or repetitions, and filtered by ledger and network', async () => {
    const { store } = await open();
    for (let at = 0; at < 7; at++)
      await insert(store, nodeRecord({ networkId: at % 2 === 0 ? 'dev' : 'test', createdAtMs: 9 }));
    const seen: string[] = [];
    let page = await store.list('alice', {}, { limit: 2 });
    for (;;) {
      seen.push(...page.records.map(({ nodeId }) => nodeId));
      if (page.next === undefined) break;
      page = await store.list('alice', {}, { limit: 2, after: page.next });
    }
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
    expect(seen).toHaveLength(7);
    const count = async (filter: object) => (await store.list('alice', filter, { limit: 100 })).records.length;
    expect([await count({ networkId: 'dev' }), await count({ dlt: 'ethereum', networkId: 'test' })]).toEqual([4, 3]);
    expect([await count({ dlt: 'solana' }), await count({ networkId: 'none' })]).toEqual([0, 0]);
  });

  test('two and a half thousand nodes are loaded in pages, each once', async () => {
    const { store, other, database } = await open();
    await insert(store, nodeRecord());
    const rows = Array.from(
      { length: 2_500 },
      (_, at) => `('node_${at}', 'u', 'd', 'n', 'public', 's', 'many ${at}', 0, 0, 'pending', 0, 1, 1)`,
    );
    await database.transaction([
      {
        text: `INSERT INTO nodes (node_id, owner_id, dlt, network_id, kind, sealed_url, address_digest, shared, cordoned, status,
          on_other_chain, created_at, revision) VALUES ${rows.join(', ')}`,
        values: [],
      },
    ]);
    const { changed } = await other.load(undefined);
    expect(new Set(changed.map(({ nodeId }) => nodeId)).size).toBe(2_501);
    expect(changed).toHaveLength(2_501);
  });

  test('operator nodes are cordoned and uncordoned once each, and every gateway loads the change', async () => {
    const { store, other } = await open();
    const before = await other.readRevision();
    await Promise.all([store.cordonOperatorNode('dev-1', true, note), other.cordonOperatorNode('dev-1', true, note)]);
    const loaded = await other.load(before);
    expect(loaded.cordonedOperatorNodes).toEqual(['dev-1']);
    expect(loaded.revision).toBeGreaterThan(before);
    await store.cordonOperatorNode('dev-1', false, note);
    expect((await other.load(undefined)).cordonedOperatorNodes).toEqual([]);
  });

  test('each action has an entry in the audit log, and a refused one has none (contract/audit#entries)', async () => {
    const { store, database } = await open();
    const record = nodeRecord();
    await insert(store, record);
    await insert(store, nodeRecord({ addressDigest: record.addressDigest }));
    await store.change(record.nodeId, 'alice', { shared: true }, auditNote({ action: 'node.shared' }));
    await store.change(record.nodeId, 'bob', { label: 'x' }, auditNote({ action: 'node.updated' }));
    await store.remove(record.nodeId, 'bob', auditNote({ action: 'node.deleted' }));
    await store.remove(record.nodeId, 'alice', auditNote({ action: 'node.deleted' }));
    const rows = await database.query('SELECT action FROM audit_entries ORDER BY sequence', []);
    expect(rows.map((row) => row['action'])).toEqual(['node.created', 'node.shared', 'node.deleted']);
  });
}
