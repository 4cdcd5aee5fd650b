/** The guarantees of `flow/registry/registry-store.ts` as tests for every engine. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { PageRequest, Position } from '@flowgate/base/page';
import type { AuditedRegistry } from '../../../test/fixtures/audited-registry.ts';
import type { AppRecord, VersionRecord } from './registry-store.ts';

export type OpenedRegistry = {
  readonly store: AuditedRegistry;
  /** A second connection to the same storage, like that of another process. */
  readonly other: AuditedRegistry;
  readonly close: () => Promise<void>;
};

const nowMs = 1_800_000_000_000;

export function appRecord(more: Partial<AppRecord> = {}): AppRecord {
  return {
    appId: 'acme/pay',
    ownerId: 'alice',
    name: 'Pay',
    visibility: 'public',
    subjectSalt: 'c2FsdA',
    createdAtMs: nowMs,
    ...more,
  };
}

export function versionRecord(more: Partial<VersionRecord> = {}): VersionRecord {
  return {
    appId: 'acme/pay',
    version: '1.0.0',
    manifest: {
      baseUrl: 'https://pay.acme.example',
      startSteps: ['choose'],
      stepIds: ['choose', 'done'],
      queries: [{ queryId: 'last', path: '/invoices/0' }],
      eventTypes: ['invoice_paid'],
    },
    sealedSecret: 's1.sealed',
    status: 'active',
    createdAtMs: nowMs,
    healthMisses: 0,
    ...more,
  };
}

export function registryStoreContract(engine: string, open: () => Promise<OpenedRegistry>): void {
  describe(`registry store on ${engine}`, () => {
    let opened: OpenedRegistry;
    let store: AuditedRegistry;
    let other: AuditedRegistry;
    beforeEach(async () => {
      opened = await open();
      ({ store, other } = opened);
    });
    afterEach(() => opened.close());

    test('an app is found as registered, also over another connection; an absent app is undefined', async () => {
      const full = appRecord({ appId: 'acme/b', description: 'Ünïcödé 🔑 \' " ; --', visibility: 'private' });
      for (const app of [appRecord(), full]) {
        expect(await store.insertApp(app)).toBe('inserted');
        expect(await other.findApp(app.appId)).toEqual(app);
      }
      expect(await store.findApp('acme/c')).toBeUndefined();
    });

    test('pages of versions and apps are limited by bytes and by rows, and the next page continues (docs/reference/database.md)', async () => {
      await store.insertApp(appRecord());
      const { manifest } = versionRecord();
      const queries = Array.from({ length: 100 }, (_, at) => ({ queryId: `q${at}`, path: `/${'é'.repeat(1_000)}` }));
      const large: string[] = [];
      for (let at = 0; at < 12; at++) {
        const version = versionRecord({
          version: `1.0.${at}`,
          manifest: { ...manifest, queries },
          createdAtMs: nowMs + at,
        });
        await store.insertVersion(version);
        large.unshift(version.version);
      }
      const pages: string[][] = [];
      let page = await store.listVersions('acme/pay', { limit: 100 });
      for (; page.next !== undefined; page = await other.listVersions('acme/pay', { limit: 100, after: page.next }))
        pages.push(page.records.map(({ version }) => version));
      pages.push(page.records.map(({ version }) => version));
      // Each has two hundred kilobytes.
      expect(pages.map(({ length }) => length)).toEqual([6, 6]);
      expect(pages.flat()).toEqual(large);
      for (let at = 0; at < 3; at++)
        await store.insertApp(
          appRecord({ appId: `acme/app${at}`, description: 'x'.repeat(700_000), createdAtMs: nowMs + 1 + at }),
        );
      const first = await store.listApps('alice', { limit: 100 });
      expect(first.records.map(({ appId }) => appId)).toEqual(['acme/app2', 'acme/app1']);
      const rest =
        first.next === undefined ? [] : (await store.listApps('alice', { limit: 100, after: first.next })).records;
      expect(rest.map(({ appId }) => appId)).toEqual(['acme/app0', 'acme/pay']);
    });

    test('an event type of an active version is found among many versions, regardless of other equal names', async () => {
      await store.insertApp(appRecord());
      const { manifest } = versionRecord();
      for (let at = 0; at < 11; at++) {
        // A step of the same name does not count as an event type, nor does a part of a name or another letter case.
        const eventTypes = at === 9 ? ['first', 'shipped'] : ['shipped_all', 'Shipped'];
        const stepIds = [...manifest.stepIds, 'shipped'];
        await store.insertVersion(
          versionRecord({ version: `1.0.${at}`, manifest: { ...manifest, stepIds, eventTypes } }),
        );
      }
      expect(await store.declaresEvent('acme/pay', 'shipped')).toBe(true);
      expect(await other.declaresEvent('acme/pay', 'SHIPPED')).toBe(false);
      expect(await store.declaresEvent('acme/pay', 'choose')).toBe(false);
      expect(await store.declaresEvent('acme/other', 'shipped')).toBe(false);
      await store.retire('acme/pay', '1.0.9', nowMs);
      expect(await store.declaresEvent('acme/pay', 'shipped')).toBe(false);
    });

    test("another user's publisher is refused before the app is read, and nothing is written (contract/flow-apps#registry)", async () => {
      await store.insertApp(appRecord());
      expect(await store.insertApp(appRecord({ name: 'Again' }))).toBe('exists');
      expect(await store.insertApp(appRecord({ ownerId: 'bob' }))).toBe('foreign-publisher');
      expect(await store.insertApp(appRecord({ ownerId: 'bob', appId: 'acme/new' }))).toBe('foreign-publisher');
      expect(await store.findApp('acme/pay')).toEqual(appRecord());
      expect(await store.findApp('acme/new')).toBeUndefined();
      expect(await store.insertApp(appRecord({ ownerId: 'bob', appId: 'acm/pay' }))).toBe('inserted');
    });

    test('of twenty users who concurrently register under one new publisher, one owns it (contract/flow-apps#registry)', async () => {
      for (let round = 0; round < 5; round++) {
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            (at % 2 === 0 ? store : other).insertApp(
              appRecord({ ownerId: `user${at}`, appId: `p${round}/app${at % 3}` }),
            ),
          ),
        );
        expect(outcomes.toSorted()).toEqual([...Array(19).fill('foreign-publisher'), 'inserted']);
      }
    });

    test('of twenty concurrent registrations of one app by its publisher, one succeeds and the others report that it exists', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? store : other).insertApp(appRecord())),
      );
      expect(outcomes.toSorted()).toEqual([...Array(19).fill('exists'), 'inserted']);
    });

    test('the limit of an owner’s apps is exact under concurrency, and a refused registration takes no publisher’s name', async () => {
      await store.insertApp(appRecord({ appId: 'acme/first' }), 5);
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          (at % 2 === 0 ? store : other).insertApp(appRecord({ appId: `p${at}/app` }), 5),
        ),
      );
      expect(outcomes.toSorted()).toEqual([...Array(8).fill('full'), ...Array(4).fill('inserted')]);
      expect(await store.insertApp(appRecord({ appId: 'acme/first' }), 5)).toBe('exists');
      const refused = `p${outcomes.indexOf('full')}/app`;
      expect(await store.insertApp(appRecord({ appId: refused, ownerId: 'bob' }), 5)).toBe('inserted');
    });

    test('public and own apps are listed newest first, page by page without gaps or duplicates (contract/conventions#lists)', async () => {
      const apps = Array.from({ length: 9 }, (_, at) =>
        appRecord({
          appId: `acme/a${at}`,
          createdAtMs: nowMs + Math.floor(at / 3),
          ...(at % 2 === 0 ? {} : { visibility: 'private' }),
        }),
      );
      for (const app of apps) await store.insertApp(app);
      await store.insertApp(
        appRecord({ appId: 'bob/own', ownerId: 'bob', visibility: 'private', createdAtMs: nowMs - 1 }),
      );
      const newest = apps.toReversed();
      expect(await everyPage((page) => store.listApps('alice', page))).toEqual(newest);
      expect((await everyPage((page) => store.listApps('bob', page))).map(({ appId }) => appId)).toEqual([
        'acme/a8',
        'acme/a6',
        'acme/a4',
        'acme/a2',
        'acme/a0',
        'bob/own',
      ]);
    });

    test('a version is found with its build metadata or without any, not with other metadata', async () => {
      const plain = versionRecord();
      const built = versionRecord({
        version: '1.1.0-rc.1+b7',
        retiredAtMs: nowMs + 1,
        status: 'retired',
        healthMisses: 2,
      });
      for (const version of [plain, built]) {
        expect(await store.insertVersion(version)).toBe('inserted');
        expect(await other.findVersion('acme/pay', version.version)).toEqual(version);
      }
      expect(await store.findVersion('acme/pay', '1.1.0-rc.1')).toEqual(built);
      expect(await store.findVersion('acme/pay', '1.1.0-rc.1+b8')).toBeUndefined();
      expect(await store.findVersion('acme/pay', '1.1.0')).toBeUndefined();
      expect(await store.findVersion('acme/other', '1.0.0')).toBeUndefined();
    });

    test('a version is published once, and versions that differ in build metadata are the same (contract/flow-apps#registry)', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          (at % 2 === 0 ? store : other).insertVersion(versionRecord({ version: at < 3 ? '1.0.0' : `1.0.0+b${at}` })),
        ),
      );
      expect(outcomes.toSorted()).toEqual([...Array(11).fill('exists'), 'inserted']);
      expect(await store.insertVersion(versionRecord({ appId: 'acme/other' }))).toBe('inserted');
    });

    test('the limit of an owner’s active versions is exact under concurrency; retired ones do not count', async () => {
      const limit = { ownerId: 'alice', active: 4, ofApp: 100 };
      for (const appId of ['acme/pay', 'acme/other']) await store.insertApp(appRecord({ appId }));
      await store.insertApp(appRecord({ appId: 'bob/pay', ownerId: 'bob' }));
      await store.insertVersion(versionRecord({ version: '0.1.0', status: 'retired', retiredAtMs: nowMs }));
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? store : other).insertVersion(
            versionRecord({ version: `1.0.${at}`, appId: at % 3 === 0 ? 'acme/pay' : 'acme/other' }),
            limit,
          ),
        ),
      );
      expect(outcomes.toSorted()).toEqual([...Array(6).fill('full'), ...Array(4).fill('inserted')]);
      expect(await store.insertVersion(versionRecord({ version: '0.1.0' }), limit)).toBe('exists');
      expect(await store.insertVersion(versionRecord({ appId: 'bob/pay' }), { ...limit, ownerId: 'bob' })).toBe(
        'inserted',
      );
    });

    test('the limit of all versions of an app is exact under concurrency; retired ones count, other apps do not', async () => {
      const limit = { ownerId: 'alice', active: 100, ofApp: 4 };
      for (const appId of ['acme/pay', 'acme/other']) await store.insertApp(appRecord({ appId }));
      await store.insertVersion(versionRecord({ version: '0.1.0' }), limit);
      await store.retire('acme/pay', '0.1.0', nowMs);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? store : other).insertVersion(versionRecord({ version: `1.0.${at}` }), limit),
        ),
      );
      expect(outcomes.toSorted()).toEqual([...Array(7).fill('app-full'), ...Array(3).fill('inserted')]);
      expect(await store.insertVersion(versionRecord({ version: '0.1.0' }), limit)).toBe('exists');
      expect(await store.insertVersion(versionRecord({ appId: 'acme/other' }), limit)).toBe('inserted');
    });

    test('versions of one app are listed newest first, page by page without gaps or duplicates', async () => {
      const versions = Array.from({ length: 7 }, (_, at) =>
        versionRecord({ version: `1.${at}.0+b`, createdAtMs: nowMs + Math.floor(at / 3) }),
      );
      for (const version of versions) await store.insertVersion(version);
      await store.insertVersion(versionRecord({ appId: 'acme/other' }));
      expect(await everyPage((page) => store.listVersions('acme/pay', page))).toEqual(versions.toReversed());
      expect(await store.listVersions('acme/none', { limit: 5 })).toEqual({ records: [] });
    });

    test('retiring again does not change the first time, and an absent version is undefined', async () => {
      await store.insertVersion(versionRecord());
      await store.insertVersion(versionRecord({ version: '2.0.0+b7' }));
      const retired = versionRecord({ status: 'retired', retiredAtMs: nowMs + 5 });
      expect(await store.retire('acme/pay', '1.0.0', nowMs + 5)).toEqual(retired);
      expect(await other.retire('acme/pay', '1.0.0', nowMs + 9)).toEqual(retired);
      expect(await store.retire('acme/pay', '2.0.0+b8', nowMs)).toBeUndefined();
      expect(await store.findVersion('acme/pay', '2.0.0')).toMatchObject({ status: 'active' });
      expect(await store.retire('acme/none', '1.0.0', nowMs)).toBeUndefined();
    });

    test('the active versions of the given apps are returned, and no others', async () => {
      await store.insertVersion(versionRecord());
      await store.insertVersion(versionRecord({ version: '1.1.0', healthMisses: 3 }));
      await store.insertVersion(versionRecord({ version: '2.0.0', status: 'retired', retiredAtMs: nowMs }));
      await store.insertVersion(versionRecord({ appId: 'acme/b', version: '0.1.0' }));
      await store.insertVersion(versionRecord({ appId: 'acme/c' }));
      const active = await store.activeVersions(['acme/pay', 'acme/b', 'acme/none']);
      expect(active.toSorted((left, right) => (left.version < right.version ? -1 : 1))).toEqual([
        { appId: 'acme/b', version: '0.1.0', healthMisses: 0 },
        { appId: 'acme/pay', version: '1.0.0', healthMisses: 0 },
        { appId: 'acme/pay', version: '1.1.0', healthMisses: 3 },
      ]);
      expect(await store.activeVersions([])).toEqual([]);
    });

    test('batches of probes include every active version once', async () => {
      await store.insertApp(appRecord({ appId: 'acme/a' }));
      await store.insertApp(appRecord({ appId: 'bob/b', ownerId: 'bob' }));
      for (const version of ['1.0.0', '1.0.1', '2.0.0+b', '3.0.0'])
        for (const appId of ['acme/a', 'bob/b']) await store.insertVersion(versionRecord({ appId, version }));
      await store.retire('acme/a', '1.0.1', nowMs);
      const seen: string[] = [];
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const batch = await store.probeBatch(after, 3);
        for (const { ownerId, appId, version } of batch.versions) {
          seen.push(`${ownerId} ${appId}@${version}`);
          expect(await store.findProbed(appId, version)).toEqual(await store.findVersion(appId, version));
        }
        after = batch.next;
      }
      expect(seen.toSorted()).toEqual([
        'alice acme/a@1.0.0',
        'alice acme/a@2.0.0+b',
        'alice acme/a@3.0.0',
        'bob bob/b@1.0.0',
        'bob bob/b@1.0.1',
        'bob bob/b@2.0.0+b',
        'bob bob/b@3.0.0',
      ]);
      expect(await store.findProbed('acme/a', '1.0.1')).toBeUndefined();
      expect(await store.findProbed('acme/a', '9.0.0')).toBeUndefined();
    });

    test('misses are counted, also concurrently and over two connections, and one success resets them', async () => {
      const misses = async () => (await store.findVersion('acme/pay', '1.0.0+b'))?.healthMisses;
      await store.insertVersion(versionRecord({ version: '1.0.0+b' }));
      await Promise.all([store, other, store, other].map((each) => each.noteHealth('acme/pay', '1.0.0+b', false)));
      expect(await misses()).toBe(4);
      await store.noteHealth('acme/pay', '1.0.0+b', true);
      expect(await misses()).toBe(0);
      await store.noteHealth('acme/none', '1.0.0', false);
    });

    describe('embedded apps', () => {
      const entry = (appId: string, version: string, name = appId) => ({
        app: appRecord({ appId, ownerId: '', name }),
        version: versionRecord({ appId, version }),
      });

      test('are registered with their versions, and a second start changes nothing', async () => {
        const entries = [entry('built-in/a', '1.0.0'), entry('built-in/b', '2.0.0')];
        for (const each of [store, other, store]) expect(await each.replaceEmbedded('', entries, nowMs)).toEqual([]);
        for (const { app, version } of entries) {
          expect(await store.findApp(app.appId)).toEqual(app);
          expect(await store.findVersion(app.appId, version.version)).toEqual(version);
        }
      });

      test('absent apps are retired, apps that return are active again, and a new name is stored', async () => {
        await store.replaceEmbedded('', [entry('built-in/a', '1.0.0'), entry('built-in/b', '1.0.0')], nowMs);
        await store.noteHealth('built-in/a', '1.0.0', false);
        await store.replaceEmbedded('', [entry('built-in/a', '2.0.0', 'Renamed')], nowMs + 1);
        expect(await store.findApp('built-in/a')).toMatchObject({ name: 'Renamed', createdAtMs: nowMs });
        const status = async (appId: string, version: string) => (await store.findVersion(appId, version))?.status;
        expect(await status('built-in/a', '1.0.0')).toBe('retired');
        expect(await status('built-in/a', '2.0.0')).toBe('active');
        expect(await status('built-in/b', '1.0.0')).toBe('retired');
        await store.replaceEmbedded('', [entry('built-in/a', '1.0.0')], nowMs + 2);
        expect(await store.findVersion('built-in/a', '1.0.0')).toEqual(entry('built-in/a', '1.0.0').version);
        await store.replaceEmbedded('', [], nowMs + 3);
        expect(await store.activeVersions(['built-in/a', 'built-in/b'])).toEqual([]);
      });

      test("do not change a user's apps, and a user's publisher is reported and not taken", async () => {
        await store.insertApp(appRecord());
        await store.insertVersion(versionRecord());
        const entries = [entry('acme/pay', '2.0.0', 'Taken'), entry('acme/new', '1.0.0'), entry('built-in/a', '1.0.0')];
        expect(await store.replaceEmbedded('', entries, nowMs)).toEqual(['acme/pay', 'acme/new']);
        expect(await store.findApp('acme/pay')).toEqual(appRecord());
        expect(await store.findApp('acme/new')).toBeUndefined();
        expect(await store.activeVersions(['acme/pay', 'acme/new'])).toEqual([
          { appId: 'acme/pay', version: '1.0.0', healthMisses: 0 },
        ]);
      });
    });
  });
}

async function everyPage<T>(
  list: (page: PageRequest) => Promise<{ readonly records: readonly T[]; readonly next?: Position }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  let page = await list({ limit: 2 });
  for (;;) {
    all.push(...page.records);
    if (page.next === undefined) return all;
    page = await list({ limit: 2, after: page.next });
  }
}
