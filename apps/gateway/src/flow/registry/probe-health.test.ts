import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import type { Database } from '@flowgate/sql/engine/database';
import { until } from '@flowgate/testing/until';
import { type AuditedRegistry, auditedRegistry } from '../../../test/fixtures/audited-registry.ts';
import { openSqliteFile, type SqliteFile } from '../../../test/fixtures/sqlite-file.ts';
import type { AskHealth } from './app-health.ts';
import { type ProbeDeps, probeHealth } from './probe-health.ts';
import { appRecord, versionRecord } from './registry-store.contract.ts';

let file: SqliteFile;
let database: Database;
let store: AuditedRegistry;
let stop: AbortController;
/** Versions whose probes fail. */
const ill = new Set<string>();
const asked: string[] = [];

beforeAll(async () => {
  file = await openSqliteFile();
  ({ database } = file);
  store = auditedRegistry(database);
});
afterAll(() => file.remove());
beforeEach(async () => {
  await database.transaction([{ text: 'DELETE FROM flow_versions', values: [] }]);
  await store.insertApp(appRecord());
  stop = new AbortController();
  ill.clear();
  asked.length = 0;
});
afterEach(() => stop.abort());

const askHealth: AskHealth = async ({ appId, version }) => {
  const name = `${appId}@${version}`;
  asked.push(name);
  return ill.has(name) ? { ok: false, detail: 'ill' } : { ok: true, value: undefined };
};
/** The probe of an app that never answers. */
function hang(appId: string): Promise<never> {
  asked.push(appId);
  return new Promise(() => {});
}
const run = (more: Partial<ProbeDeps> = {}) =>
  probeHealth({ store, askHealth, clock: systemClock, intervalMs: 1, onChange: () => {}, ...more }, stop.signal);
/** Publishes `1.0.0`, `1.0.1`, … in one transaction, because each commit takes time on a busy machine's disk. */
const publishMany = (count: number) =>
  store.replaceEmbedded(
    'alice',
    Array.from({ length: count }, (_, at) => ({ app: appRecord(), version: versionRecord({ version: `1.0.${at}` }) })),
    1,
  );
const misses = async (version = '1.0.0') => (await store.findVersion('acme/pay', version))?.healthMisses;

test('an app is unhealthy after three missed probes, and healthy at its next answer (contract/flow-apps#health)', async () => {
  const changes: string[] = [];
  await store.insertVersion(versionRecord());
  await store.insertVersion(versionRecord({ version: '2.0.0' }));
  ill.add('acme/pay@1.0.0');
  const running = run({ onChange: ({ version }, healthy) => changes.push(`${version} ${healthy}`) });
  await until('three misses are counted', async () => (await misses()) === 3);
  expect(await misses('2.0.0')).toBe(0);
  const before = asked.length;
  await until('it is still probed', () => asked.length > before + 10);
  expect(await misses()).toBe(3);
  ill.clear();
  await until('it is healthy', async () => (await misses()) === 0);
  stop.abort();
  await running;
  expect(changes).toEqual(['1.0.0 false', '1.0.0 true']);
});

test('every active version is probed once a round, except embedded and retired versions', async () => {
  const embedded = { ...versionRecord().manifest, baseUrl: 'embedded:' };
  await publishMany(230);
  await store.insertVersion(versionRecord({ version: '2.0.0', manifest: embedded }));
  await store.retire('acme/pay', '1.0.7', 1);
  const running = run({ intervalMs: 600_000 });
  await until('all were probed', () => asked.length >= 229);
  stop.abort();
  await running;
  expect(asked).toHaveLength(229);
  expect(new Set(asked).size).toBe(229);
  expect(asked.filter((name) => name.endsWith('@1.0.7') || name.endsWith('@2.0.0'))).toEqual([]);
});

test('at most four apps of an owner are probed concurrently, and apps that do not answer delay the others only until their time-out', async () => {
  await publishMany(150);
  const silent = Promise.withResolvers<{ ok: true; value: undefined }>();
  let silentOnes = 0;
  let inFlight = 0;
  let max = 0;
  const running = run({
    intervalMs: 600_000,
    async askHealth(version) {
      asked.push(version.version);
      inFlight += 1;
      max = Math.max(max, inFlight);
      const isSilent = silentOnes < 3;
      if (isSilent) silentOnes += 1;
      const health = isSilent ? await silent.promise : { ok: true as const, value: undefined };
      inFlight -= 1;
      return health;
    },
  });
  await until('the others were probed', () => asked.length === 150);
  expect(max).toBe(4);
  silent.resolve({ ok: true, value: undefined });
  stop.abort();
  await running;
});

test("two hundred versions of one owner that never answer, under many publishers' names, delay no one else's probe, round after round", async () => {
  for (let app = 0; app < 20; app++) {
    const appId = `evil${app}/a`;
    await store.insertApp(appRecord({ appId, ownerId: 'mallory' }));
    for (let at = 0; at < 10; at++) await store.insertVersion(versionRecord({ appId, version: `1.0.${at}` }));
  }
  await store.insertApp(appRecord({ appId: 'zed/z', ownerId: 'zed' }));
  for (const appId of ['acme/pay', 'zed/z']) await store.insertVersion(versionRecord({ appId }));
  const running = run({
    askHealth: (version) => (version.appId.startsWith('evil') ? hang(version.appId) : askHealth(version)),
  });
  const times = (name: string) => asked.filter((each) => each.startsWith(name)).length;
  await until('the others were probed in many rounds', () => times('acme/pay') > 5 && times('zed/z') > 5);
  expect(times('evil')).toBe(4);
  stop.abort();
  await running;
});

test('at most thirty-two apps of all owners are probed concurrently', async () => {
  for (let app = 0; app < 12; app++) {
    const appId = `owner${app}/a`;
    await store.insertApp(appRecord({ appId, ownerId: `owner ${app}` }));
    for (let at = 0; at < 5; at++) await store.insertVersion(versionRecord({ appId, version: `1.0.${at}` }));
  }
  const running = run({ askHealth: (version) => hang(version.appId) });
  await until('the maximum number of probes is in flight', () => asked.length === 32);
  // Probes go round-robin between owners, so every owner was probed.
  expect(new Set(asked).size).toBe(12);
  stop.abort();
  await running;
  expect(asked).toHaveLength(32);
});

test('nothing is written for healthy apps, and nothing after the abort', async () => {
  let notes = 0;
  const counting = {
    ...store,
    async noteHealth() {
      notes += 1;
    },
  };
  await store.insertVersion(versionRecord());
  const running = run({ store: counting });
  await until('it was probed ten times', () => asked.length >= 10);
  stop.abort();
  await running;
  expect(notes).toBe(0);
  const asking = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<{ ok: false; detail: string; retryable: boolean }>();
  stop = new AbortController();
  const second = run({
    store: counting,
    askHealth() {
      asking.resolve();
      return answer.promise;
    },
  });
  await asking.promise;
  stop.abort();
  // The second round does not wait for this app.
  await second;
  answer.resolve({ ok: false, detail: 'ill', retryable: true });
  await Promise.resolve();
  expect(notes).toBe(0);
});

test('an unavailable store ends the work with its error, after all probes have ended', async () => {
  await publishMany(40);
  for (let at = 0; at < 40; at++) ill.add(`acme/pay@1.0.${at}`);
  const unavailable = { ...store, noteHealth: () => Promise.reject(new Error('unavailable')) };
  const [outcome] = await Promise.allSettled([run({ store: unavailable })]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: new Error('unavailable') });
  expect(asked.length).toBeLessThanOrEqual(4);
});
