import { expect, test } from 'bun:test';
import { noSecrets } from '@flowgate/flow-format/secrets/secret-mark';
import type { JsonObject } from '@flowgate/json/json-object';
import { callerNamed, noPolicies } from '../../../test/fixtures/no-policies.ts';
import type { AppRecord } from '../registry/app.ts';
import type { VersionRecord } from '../registry/version.ts';
import { queryApp } from './query-app.ts';

const app: AppRecord = {
  appId: 'acme/shop',
  ownerId: 'alice',
  name: 'Shop',
  visibility: 'public',
  subjectSalt: 'salt',
  createdAtMs: 0,
};

/** The result of a query with this pointer, and the names that were read for it (`*`: all). */
async function answerOf(path: string, stored: JsonObject) {
  const read: string[] = [];
  const version: VersionRecord = {
    appId: app.appId,
    version: '1.0.0',
    manifest: {
      baseUrl: 'https://app.example',
      startSteps: ['a'],
      stepIds: ['a'],
      queries: [{ queryId: 'q', path }],
      eventTypes: [],
    },
    sealedSecret: 'sealed',
    status: 'active',
    createdAtMs: 0,
    healthMisses: 0,
  };
  const answer = await queryApp(
    {
      registry: {
        findApp: async () => app,
        findVersion: async () => version,
        activeVersions: async () => [version],
        listVersions: async () => ({ records: [version] }),
      },
      store: {
        async appData() {
          read.push('*');
          return { members: stored, isWhole: true };
        },
        async appDatum(_userId, _appId, name) {
          read.push(name);
          return Object.hasOwn(stored, name) ? stored[name] : undefined;
        },
      },
      firewall: noPolicies,
      secrets: { of: async () => noSecrets },
      filterAppData: () => undefined,
    },
    callerNamed('alice'),
    app.appId,
    'q',
  );
  return { data: answer.ok ? answer.value.data : answer, read };
}

test('a query reads only the name that its pointer selects from, and all names only for the whole document', async () => {
  const stored = { a: { b: [1, { 'c/d~': 2 }] }, '': 'empty', 'x/y~z': 3, __proto__x: 4 };
  expect(await answerOf('/a/b/1/c~1d~0', stored)).toEqual({ data: 2, read: ['a'] });
  expect(await answerOf('/a', stored)).toEqual({ data: stored.a, read: ['a'] });
  expect(await answerOf('/', stored)).toEqual({ data: 'empty', read: [''] });
  expect(await answerOf('/x~1y~0z', stored)).toEqual({ data: 3, read: ['x/y~z'] });
  expect(await answerOf('/none/b', stored)).toEqual({ data: null, read: ['none'] });
  expect(await answerOf('/a/none', stored)).toEqual({ data: null, read: ['a'] });
  expect(await answerOf('/toString', stored)).toEqual({ data: null, read: ['toString'] });
  expect(await answerOf('', stored)).toEqual({ data: stored, read: ['*'] });
});
