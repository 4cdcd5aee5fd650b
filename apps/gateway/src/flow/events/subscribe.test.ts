import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { ok } from '@flowgate/base/result';
import { callerNamed, noPolicies } from '../../../test/fixtures/no-policies.ts';
import { appRecord, versionRecord } from '../registry/registry-store.contract.ts';
import type { VersionRecord } from '../registry/version.ts';
import { subscribe } from './subscribe.ts';

const app = appRecord({ appId: 'acme/pay', visibility: 'public' });
const versionOf = (version: string, status: 'active' | 'retired', type: string) => {
  const record = versionRecord({ appId: app.appId, version, status });
  return { ...record, manifest: { ...record.manifest, eventTypes: [type] } };
};

/** The outcome of subscribing to this type, and the number of reads of the storage. */
async function subscribed(versions: readonly VersionRecord[], eventType: string) {
  let asked = 0;
  const made = await subscribe(
    {
      subscriptions: { insertIfUnder: async () => true },
      registry: {
        findApp: async () => app,
        async declaresEvent(_appId, type) {
          asked += 1;
          return versions.some(({ status, manifest }) => status === 'active' && manifest.eventTypes.includes(type));
        },
      },
      firewall: noPolicies,
      vetUrl: (text) => ok(new URL(text)),
      encryption: { seal: () => 'sealed' },
      newId: () => 'sub_1',
      creationTime: () => 1,
      randomBytes,
    },
    { caller: callerNamed('alice'), appId: app.appId },
    { eventType, targetUrl: 'https://receiver.example/' },
  );
  return { made: made.ok, asked };
}

test('users can subscribe to types of any active version, not to those of retired versions (contract/events#subscriptions)', async () => {
  const versions = [versionOf('1.0.0', 'active', 'old'), versionOf('2.0.0', 'active', 'new')];
  expect((await subscribed(versions, 'old')).made).toBe(true);
  expect((await subscribed(versions, 'new')).made).toBe(true);
  expect((await subscribed(versions, 'session_completed')).made).toBe(true);
  expect((await subscribed([versionOf('1.0.0', 'retired', 'old')], 'old')).made).toBe(false);
});

test('the storage is read once regardless of the number of versions, and not at all for an invalid type', async () => {
  const versions = Array.from({ length: 500 }, (_, at) => versionOf(`0.0.${at}`, 'active', 'old'));
  expect(await subscribed([...versions, versionOf('1.0.0', 'active', 'new')], 'new')).toEqual({ made: true, asked: 1 });
  expect(await subscribed(versions, 'no type\0')).toEqual({ made: false, asked: 0 });
});
