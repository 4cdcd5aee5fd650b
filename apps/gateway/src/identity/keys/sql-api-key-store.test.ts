import { afterEach, beforeEach, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { Unavailable } from '@flowgate/base/unavailable';
import { openPostgresDatabase } from '@flowgate/sql/engine/postgres/postgres-database';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { auditedKeyStore } from '../../../test/fixtures/audited-keys.ts';
import { openAddress } from '../../../test/fixtures/open-address.ts';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { schema } from '../../storage/storage-schema.ts';
import { apiKeyStoreContract, keyRecord } from './api-key-store.contract.ts';

const script = new URL('../../../test/fixtures/mint-in-child.ts', import.meta.url).pathname;

function child(address: string, owner: string, tries: number, limit: number) {
  return Bun.spawn([process.execPath, script, address, owner, String(tries), String(limit)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
}

async function linesOf(
  stream: ReadableStream<Uint8Array>,
  onLine: (count: number) => void = () => undefined,
): Promise<string[]> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    onLine(text.split('\n').length - 1);
  }
  // The kill left a line without an end.
  return text.split('\n').slice(0, -1);
}

async function storedKeys(address: string): Promise<Set<string>> {
  const database = await openAddress(address);
  const store = auditedKeyStore(database);
  const stored = new Set<string>();
  let page = await store.list('shared', { limit: 500 });
  for (;;) {
    for (const { keyId } of page.records) stored.add(keyId);
    if (page.next === undefined) break;
    page = await store.list('shared', { limit: 500, after: page.next });
  }
  await database.close();
  return stored;
}

onEveryEngine((engine, open) => {
  apiKeyStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return { store: auditedKeyStore(database), other: auditedKeyStore(other), close };
  });

  let opened: OpenedEngine;
  let address: string;
  beforeEach(async () => {
    opened = await open();
    address = opened.address;
  });
  afterEach(() => opened.close());

  test('three processes that start and mint concurrently create ten keys together (contract/keys#the-ten-keys)', async () => {
    const children = ['A', 'B', 'C'].map((owner) => child(address, owner, 16, 10));
    const printed = await Promise.all(children.map(({ stdout }) => linesOf(stdout)));
    expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0]);
    expect(printed.flat()).toHaveLength(10);
    expect(await storedKeys(address)).toEqual(new Set(printed.flat()));
  });

  test('kill -9 during mints loses no acknowledged key', async () => {
    const acknowledged: string[] = [];
    for (const [round, killAfter] of [3, 40, 150].entries()) {
      const process = child(address, `R${round}`, 1_000_000, 1_000_000);
      const lines = await linesOf(process.stdout, (count) => {
        if (count >= killAfter) process.kill('SIGKILL');
      });
      await process.exited;
      expect(process.signalCode).toBe('SIGKILL');
      acknowledged.push(...lines);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(193);
    const stored = await storedKeys(address);
    expect(acknowledged.filter((keyId) => !stored.has(keyId))).toEqual([]);
  });

  test('a key exists exactly when its mint succeeded, in any order of deadline and commit', async () => {
    const answered = new Set<string>();
    const refusedAs = new Set<string>();
    for (const deadlineMs of [0, 1, 2, 3, 5, 5_000]) {
      // Closing waits until all compensations are done, also on a busy machine.
      const own = { schema, clock: systemClock, deadlineMs, closeTimeoutMs: 60_000 };
      const database = await (address.startsWith('sqlite:')
        ? openSqliteDatabase({ ...own, file: address.slice('sqlite:'.length) })
        : openPostgresDatabase({ ...own, url: address, randomBytes: systemRandomBytes }));
      const store = auditedKeyStore(database);
      const records = Array.from({ length: 300 }, () => keyRecord({ ownerId: 'shared' }));
      const mint = async (record: (typeof records)[number]) => {
        try {
          await store.insertIfUnder(record, 1_000_000, 0);
          answered.add(record.keyId);
        } catch (error) {
          refusedAs.add(error instanceof Unavailable ? error.name : String(error));
        }
      };
      for (let at = 0; at < records.length; at += 30) await Promise.all(records.slice(at, at + 30).map(mint));
      await database.close();
    }
    refusedAs.delete('Unavailable');
    expect([...refusedAs]).toEqual([]);
    const stored = await storedKeys(address);
    expect({ unanswered: stored.difference(answered), lost: answered.difference(stored) }).toEqual({
      unanswered: new Set(),
      lost: new Set(),
    });
  });
});
