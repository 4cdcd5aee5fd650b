/** Administration through the client, with the real gateway (contract/administration). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createFlowgate } from '../../client/src/create-flowgate.ts';
import { refusalOf } from '../../client/test/refusal-of.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const client = (sub: string, claims = {}) =>
  createFlowgate({
    url: gateway.url,
    fetch: checkedFetch,
    retry: { retries: 0 },
    token: gateway.token(sub, claims),
  });
const admin = () => client('root', { roles: ['admin'] }).admin;

test('maintenance is read, set and ended, and callers see it', async () => {
  const { maintenance } = admin();
  expect(await maintenance.get()).toEqual({ active: false, retryAfterSeconds: 60 });
  const input = { active: true, message: 'Back at noon.', surfaces: ['rest'] } as const;
  expect(await maintenance.set(input)).toEqual({ ...input, surfaces: ['rest'], retryAfterSeconds: 60 });
  expect(await refusalOf(client('alice').me())).toMatchObject({ status: 503, message: 'Back at noon.' });
  expect(await maintenance.set({ active: false })).toEqual({ active: false, retryAfterSeconds: 60 });
  expect(await client('alice').me()).toEqual({ id: 'alice' });
  expect(await refusalOf(maintenance.set({ active: true, networks: ['none'] }))).toMatchObject({ status: 400 });
});

const configured = { userPerMinute: 300, sessionPerMinute: 60, maxActiveKeys: 10, nodes: 20 };

test("a user's limits are set, read and removed", async () => {
  const { limits } = admin().user('auth0|bob/1');
  expect(await limits.get()).toEqual({ configured });
  expect(await limits.set({ userPerMinute: 5, nodes: 2 })).toEqual({ userPerMinute: 5, nodes: 2 });
  expect(await limits.get()).toEqual({ userPerMinute: 5, nodes: 2, configured });
  const { whoAmI } = client('auth0|bob/1');
  expect(await whoAmI()).toMatchObject({
    userId: 'auth0|bob/1',
    credential: 'token',
    isAdmin: false,
    requestsPerMinute: 5,
  });
  await limits.remove();
  await limits.remove();
  expect(await limits.get()).toEqual({ configured });
});

test("a user's keys are listed and revoked, and the audit log has the entries", async () => {
  const { keyId } = await gateway.mint('carol', { label: 'hers' });
  const { apiKeys } = admin().user('carol');
  expect(await Array.fromAsync(apiKeys.list())).toMatchObject([{ keyId, label: 'hers' }]);
  await apiKeys.revoke(keyId);
  const [record] = await Array.fromAsync(apiKeys.list());
  expect(record?.revokedAt).toBeString();
  const entries = await Array.fromAsync(admin().audit.list({ filter: { target: keyId }, limit: 1 }));
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['key.revoked', 'root'],
    ['key.created', 'carol'],
  ]);
  const { data } = await admin().audit.page({ filter: { target: keyId, action: 'key.revoked' } });
  expect(data).toMatchObject([{ via: 'token', details: { ownerId: 'carol' } }]);
});

test('users who are not administrators are refused', async () => {
  expect(await refusalOf(client('mallory').admin.maintenance.get())).toMatchObject({ status: 403 });
  const key = await gateway.mint('mallory');
  const withKey = createFlowgate({ url: gateway.url, fetch: checkedFetch, ...key });
  expect(await refusalOf(withKey.admin.audit.page())).toMatchObject({ status: 403 });
});
