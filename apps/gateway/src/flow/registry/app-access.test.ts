import { afterAll, beforeAll, expect, test } from 'bun:test';
import { actorNamed } from '../../../test/fixtures/audited.ts';
import { type AuditedRegistry, auditedRegistry } from '../../../test/fixtures/audited-registry.ts';
import { callerNamed, noPolicies } from '../../../test/fixtures/no-policies.ts';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { ownApp, visibleApp } from './app-access.ts';
import { findVersion, retireVersion } from './registry-routes.ts';
import { appRecord } from './registry-store.contract.ts';

onEveryEngine((_engine, open) => {
  let engine: OpenedEngine;
  let store: AuditedRegistry;

  beforeAll(async () => {
    engine = await open();
    store = auditedRegistry(engine.database);
    await store.insertApp(appRecord({ appId: 'acme/pay', ownerId: 'alice', visibility: 'public' }));
  });
  afterAll(() => engine.close());

  test('names that no database can store are not found, without a failure (contract/conventions)', async () => {
    const parts = { registry: store, firewall: noPolicies };
    const absent = { ok: false, reason: 'not-found' };
    const clock = { now: () => 1 };
    for (const name of ['acme/\0', 'a\0b/pay', 'acme/pay\0', '\ud800/pay', `acme/${'x'.repeat(5_000)}`]) {
      expect(await visibleApp(parts, callerNamed('alice'), name)).toMatchObject(absent);
      expect(await ownApp(store, 'alice', name)).toMatchObject(absent);
    }
    for (const version of ['\0', '1.0.0\0', '1.0.0+\0', '\ud800', `1.0.${'0'.repeat(5_000)}`]) {
      expect(await findVersion(parts, callerNamed('alice'), 'acme/pay', version)).toMatchObject(absent);
      expect(await retireVersion({ store, clock }, actorNamed('alice'), 'acme/pay', version)).toMatchObject(absent);
    }
  });
});
