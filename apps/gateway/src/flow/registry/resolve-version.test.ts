import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Database } from '@flowgate/sql/engine/database';
import { type AuditedRegistry, auditedRegistry } from '../../../test/fixtures/audited-registry.ts';
import { callerNamed, noPolicies } from '../../../test/fixtures/no-policies.ts';
import { openSqliteFile, type SqliteFile } from '../../../test/fixtures/sqlite-file.ts';
import { appRecord, versionRecord } from './registry-store.contract.ts';
import { resolveVersion } from './resolve-version.ts';

const partsOf = (registry: AuditedRegistry) => ({ registry, firewall: noPolicies });

let file: SqliteFile;
let database: Database;
let store: AuditedRegistry;

beforeAll(async () => {
  file = await openSqliteFile();
  ({ database } = file);
  store = auditedRegistry(database);
});
afterAll(() => file.remove());

/** Registers an app of alice's with these versions; `-` marks the retired ones. */
async function appWith(appId: string, versions: readonly string[], visibility: 'public' | 'private' = 'public') {
  await store.insertApp(appRecord({ appId, visibility }));
  for (const version of versions) {
    await store.insertVersion(versionRecord({ appId, version: version.replace('-', '') }));
    if (version.startsWith('-')) await store.retire(appId, version.slice(1), 1);
  }
}

async function resolved(appId: string, version?: string, callerId = 'bob'): Promise<string> {
  const result = await resolveVersion(partsOf(store), callerNamed(callerId), appId, version);
  return result.ok ? result.value.version.version : result.reason;
}

test('a requested version is found, an unknown one is not found, a retired one is gone (contract/errors#problemdetails; contract/flow-apps#versions)', async () => {
  await appWith('a/asked', ['1.0.0', '-1.1.0', '2.0.0']);
  expect(await resolved('a/asked', '1.0.0')).toBe('1.0.0');
  expect(await resolved('a/asked', '1.1.0')).toBe('gone');
  expect(await resolved('a/asked', '3.0.0')).toBe('not-found');
  for (const version of ['1', 'latest', 'v1.0.0', '']) expect(await resolved('a/asked', version)).toBe('bad-request');
  const found = await resolveVersion(partsOf(store), callerNamed('bob'), 'a/asked', '1.0.0');
  expect(found).toMatchObject({ ok: true, value: { app: { appId: 'a/asked', subjectSalt: 'c2FsdA' } } });
});

test('the default is the latest active version; gone if all are retired, not found if none was published (contract/flow-apps#versions)', async () => {
  await appWith('a/latest', ['1.0.0', '1.2.0', '-2.0.0']);
  await appWith('a/over', ['-1.0.0', '-2.0.0']);
  await appWith('a/new', []);
  expect(await resolved('a/latest')).toBe('1.2.0');
  expect(await resolved('a/over')).toBe('gone');
  expect(await resolved('a/new')).toBe('not-found');
});

test('another user’s private app is not found with any version; the owner finds it (contract/conventions)', async () => {
  await appWith('a/hidden', ['1.0.0', '-0.1.0'], 'private');
  for (const version of [undefined, '1.0.0', '0.1.0']) {
    const hidden = await resolveVersion(partsOf(store), callerNamed('bob'), 'a/hidden', version);
    expect(hidden).toEqual(await resolveVersion(partsOf(store), callerNamed('bob'), 'a/none', version));
    expect(hidden).toMatchObject({ reason: 'not-found' });
  }
  expect(await resolved('a/hidden', undefined, 'alice')).toBe('1.0.0');
});

test('a version that is retired between two reads is not used: the next latest is', async () => {
  await appWith('a/moving', ['1.0.0', '2.0.0']);
  const retiringFirst: AuditedRegistry = {
    ...store,
    async findVersion(appId, version) {
      if (version === '2.0.0') await store.retire(appId, version, 1);
      return store.findVersion(appId, version);
    },
  };
  expect(await resolveVersion(partsOf(retiringFirst), callerNamed('bob'), 'a/moving')).toMatchObject({
    value: { version: { version: '1.0.0' } },
  });
});
