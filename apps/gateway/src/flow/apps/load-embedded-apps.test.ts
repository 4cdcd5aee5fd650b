import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@flowgate/sql/engine/database';
import { type AuditedRegistry, auditedRegistry } from '../../../test/fixtures/audited-registry.ts';
import { openSqliteFile, type SqliteFile } from '../../../test/fixtures/sqlite-file.ts';
import { appRecord } from '../registry/registry-store.contract.ts';
import { loadEmbeddedApps, registerEmbeddedApps } from './load-embedded-apps.ts';

const directory = mkdtempSync(join(tmpdir(), 'flowgate-embedded-'));
let modules = 0;
let file: SqliteFile;
let database: Database;
let store: AuditedRegistry;

beforeAll(async () => {
  file = await openSqliteFile();
  ({ database } = file);
  store = auditedRegistry(database);
});
afterAll(() => file.remove());
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(async () => {
  for (const table of ['flow_versions', 'flow_apps', 'flow_publishers'])
    await database.transaction([{ text: `DELETE FROM ${table}`, values: [] }]);
});

function moduleOf(text: string): string {
  modules += 1;
  const path = join(directory, `app-${modules}.ts`);
  writeFileSync(path, text);
  return path;
}
const appModule = (members: string) =>
  moduleOf(`export default {
    appId: 'built-in/a', name: 'A', version: '1.0.0', steps: [{ stepId: 'a' }],
    renderStep: () => ({ step: { stepId: 'a', title: 'A', fields: [], actions: [] } }), ${members}
  };`);
let times = 0;
const parts = () => ({ store, randomBytes: (size: number) => Buffer.alloc(size, 7), creationTime: () => ++times });

test('the default export of a module is an app with the manifest of a version; its methods are called on that object (contract/flow-apps#downstream)', async () => {
  const path = moduleOf(`class Counter {
      appId = 'built-in/counter'; name = 'Counter'; version = '1.2.0'; count = 7;
      steps = [{ stepId: 'a' }, { stepId: 'b' }]; events = [{ type: 'counted' }];
      renderStep() { return { count: this.count }; }
      health() { return this.count === 7; }
    }
    export default new Counter();`);
  const [app] = await loadEmbeddedApps([path]);
  expect(app).toMatchObject({
    appId: 'built-in/counter',
    version: '1.2.0',
    manifest: { baseUrl: 'embedded:', startSteps: ['a'], stepIds: ['a', 'b'], queries: [], eventTypes: ['counted'] },
  });
  const request = { requestId: 'r' } as Parameters<NonNullable<typeof app>['renderStep']>[0];
  expect([app?.renderStep(request), app?.health()]).toEqual([{ count: 7 }, true]);
});

test('all problems of all modules are reported at once, each with its place in the configuration', async () => {
  const paths = [
    join(directory, 'absent.ts'),
    moduleOf('export const app = 1;'),
    moduleOf('throw new Error("no database");'),
    moduleOf('export default 7;'),
    appModule("appId: 'A'"),
    appModule('renderStep: 1'),
    appModule("startSteps: ['b']"),
    appModule(''),
    appModule("version: '1.0.0+twin'"),
  ];
  const message = await loadEmbeddedApps(paths).catch((error: Error) => error.message);
  const lines = String(message).split('\n  ');
  expect(lines.map((line) => line.replace(/\(.*?\)/, '…'))).toEqual([
    expect.stringMatching(/^flow\.embeddedApps\[0\] …: cannot be loaded: .*absent/),
    'flow.embeddedApps[1] …: has no default export',
    'flow.embeddedApps[2] …: cannot be loaded: no database',
    'flow.embeddedApps[3] …: the default export is no app: must be an object',
    expect.stringMatching(/^flow\.embeddedApps\[4\] …: the default export is no app: appId must be publisher\/slug/),
    'flow.embeddedApps[5] …: the default export is no app: renderStep must be a function',
    'flow.embeddedApps[6] …: the default export is no app: startSteps[0] must be one of steps',
    'flow.embeddedApps[8] …: is there twice',
  ]);
});

test('each start registers the configured modules as public apps, and retires versions that are no longer configured (contract/flow-apps#downstream)', async () => {
  const start = async (...members: readonly string[]) =>
    registerEmbeddedApps(parts(), await loadEmbeddedApps(members.map(appModule)));
  await start("description: 'For people'", "appId: 'built-in/b'");
  await start("description: 'For people'", "appId: 'built-in/b'");
  expect(await store.findApp('built-in/a')).toMatchObject({ visibility: 'public', description: 'For people' });
  const first = await store.findApp('built-in/a');
  await start("version: '2.0.0'");
  const status = async (appId: string, version: string) => (await store.findVersion(appId, version))?.status;
  expect(await status('built-in/a', '1.0.0')).toBe('retired');
  expect(await status('built-in/a', '2.0.0')).toBe('active');
  expect(await status('built-in/b', '1.0.0')).toBe('retired');
  expect(await store.findApp('built-in/a')).toMatchObject({
    subjectSalt: first?.subjectSalt,
    createdAtMs: first?.createdAtMs,
  });
  await start('');
  expect(await status('built-in/a', '1.0.0')).toBe('active');
});

test("a publisher that belongs to a user is an error for the operator, and remains the user's", async () => {
  await store.insertApp(appRecord({ appId: 'built-in/mine' }));
  const apps = await loadEmbeddedApps([appModule('')]);
  const [outcome] = await Promise.allSettled([registerEmbeddedApps(parts(), apps)]);
  expect(outcome).toMatchObject({
    status: 'rejected',
    reason: new Error('flow.embeddedApps: the publisher of built-in/a belongs to a user'),
  });
  expect(await store.findApp('built-in/a')).toBeUndefined();
});
