import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKeyStoreContract, keyRecord } from '../../../test/contracts/api-key-store-contract.ts';
import { createSqlApiKeyStore } from './api-key-store.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flowgate-keys-'));
  file = join(directory, 'flowgate.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const patient = { deadlineMs: 10_000 };

apiKeyStoreContract('SQLite', async () => {
  const [database, other] = [
    await openSqliteDatabase({ file, ...patient }),
    await openSqliteDatabase({ file, ...patient }),
  ];
  return {
    store: createSqlApiKeyStore(database),
    other: createSqlApiKeyStore(other),
    close: async () => {
      await database.close();
      await other.close();
    },
  };
});

function child(owner: string, tries: number, limit: number) {
  const script = join(import.meta.dir, '../../../test/contracts/mint-in-child.ts');
  return Bun.spawn([process.execPath, script, file, owner, String(tries), String(limit)], {
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
  // A line without its end was cut off by the kill.
  return text.split('\n').slice(0, -1);
}

async function storedKeys(): Promise<Set<string>> {
  const database = await openSqliteDatabase({ file, ...patient });
  const store = createSqlApiKeyStore(database);
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

test('three processes that open a new database and mint at once make ten keys together (decisions 3)', async () => {
  const children = ['A', 'B', 'C'].map((owner) => child(owner, 16, 10));
  const printed = await Promise.all(children.map(({ stdout }) => linesOf(stdout)));
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0]);
  expect(printed.flat()).toHaveLength(10);
  expect(await storedKeys()).toEqual(new Set(printed.flat()));
}, 20_000);

test('kill -9 in the middle of mints loses no key that was acknowledged (issue 2)', async () => {
  const acknowledged: string[] = [];
  for (const [round, killAfter] of [3, 40, 150].entries()) {
    const process = child(`R${round}`, 1_000_000, 1_000_000);
    const lines = await linesOf(process.stdout, (count) => {
      if (count >= killAfter) process.kill('SIGKILL');
    });
    await process.exited;
    expect(process.signalCode).toBe('SIGKILL');
    acknowledged.push(...lines);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(193);
  const stored = await storedKeys();
  expect(acknowledged.filter((keyId) => !stored.has(keyId))).toEqual([]);
}, 20_000);

test('a key exists exactly when its mint was answered, however the deadline and the commit race', async () => {
  const answered = new Set<string>();
  const refusedAs = new Set<string>();
  for (const deadlineMs of [0, 1, 2, 3, 5, 5_000]) {
    const database = await openSqliteDatabase({ file, deadlineMs });
    const store = createSqlApiKeyStore(database);
    const records = Array.from({ length: 300 }, () => keyRecord({ ownerId: 'shared' }));
    const mint = async (record: (typeof records)[number]) => {
      try {
        await store.insertIfUnder(record, 1_000_000, 0);
        answered.add(record.keyId);
      } catch (error) {
        refusedAs.add(error instanceof Error ? error.name : String(error));
      }
    };
    for (let at = 0; at < records.length; at += 30) await Promise.all(records.slice(at, at + 30).map(mint));
    await database.close();
  }
  refusedAs.delete('Unavailable');
  expect([...refusedAs]).toEqual([]);
  expect(await storedKeys()).toEqual(answered);
}, 20_000);
