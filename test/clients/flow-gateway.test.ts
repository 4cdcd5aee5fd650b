/**
 * The Flow part of the client with the real gateway and a real app: publish, submit, follow, query, subscribe
 * (contract/flow-apps).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import {
  counterManifest,
  type FlowAppFixture,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createFlowgate } from '../../client/src/create-flowgate.ts';
import { refusalOf } from '../../client/test/refusal-of.ts';

const appId = 'acme/counter';
let gateway: RunningGateway;
let app: FlowAppFixture;

beforeAll(async () => {
  app = startFlowApp();
  gateway = await startGateway({ config: reachesLoopback });
  const { apps, versions } = flowOf('publisher');
  expect(await apps.register({ appId, name: 'Counter', visibility: 'public' })).toMatchObject({ appId });
  const published = await versions.publish(appId, {
    ...counterManifest,
    version: '1.0.0',
    baseUrl: app.url,
    signingSecret: app.secret,
  });
  expect(published).toMatchObject({ version: '1.0.0', status: 'active', startSteps: ['count'] });
});
afterAll(() => Promise.all([gateway?.stop(), app?.stop()]));

const flowOf = (sub: string) =>
  createFlowgate({ url: gateway.url, fetch: checkedFetch, token: gateway.token(sub) }).flow;

test('the registry shows the published version, and retires it (contract/flow-apps)', async () => {
  const { apps, versions } = flowOf('publisher');
  expect(await apps.get(appId)).toMatchObject({ appId, latestVersion: '1.0.0', visibility: 'public' });
  const ids = (await Array.fromAsync(apps.list({ limit: 1 }))).map((each) => each.appId);
  expect(ids).toEqual([appId]);
  const input = { ...counterManifest, version: '2.0.0-beta', baseUrl: app.url, signingSecret: app.secret };
  await versions.publish(appId, input);
  expect(await refusalOf(versions.publish(appId, input))).toMatchObject({ status: 409, kind: 'problem' });
  expect(await versions.retire(appId, '2.0.0-beta')).toMatchObject({ status: 'retired' });
  expect(await versions.retire(appId, '2.0.0-beta')).toMatchObject({ status: 'retired' });
  const all = (await Array.fromAsync(versions.list(appId))).map(({ version, status }) => [version, status]);
  expect(all.toSorted()).toEqual([
    ['1.0.0', 'active'],
    ['2.0.0-beta', 'retired'],
  ]);
  const pinned = flowOf('walker').sessions.start({ appId, version: '2.0.0-beta' });
  expect(await refusalOf(pinned)).toMatchObject({ status: 410, type: 'urn:svc:error:gone' });
});

test('a session is completed and followed, with one submission for each key (contract/sessions#idempotency)', async () => {
  const { sessions, follow, query } = flowOf('walker');
  const { sessionId, currentStep, stateVersion } = await sessions.start({ appId });
  expect([currentStep.stepId, stateVersion]).toEqual(['count', 1]);
  const following = Array.fromAsync(follow(sessionId));
  const submission = { actionId: 'add', fieldValues: { amount: 3 }, stateVersion };
  const once = await sessions.submit(sessionId, 'count', submission, { idempotencyKey: 'three' });
  expect(await sessions.submit(sessionId, 'count', submission, { idempotencyKey: 'three' })).toEqual(once);
  expect(once).toMatchObject({ stateVersion: 2, currentStep: { description: 'Counted to 3' } });
  expect(await sessions.get(sessionId)).toMatchObject({ stateVersion: 2, status: 'active' });
  const stale = await refusalOf(sessions.submit(sessionId, 'count', submission));
  expect(stale).toMatchObject({ status: 409, type: 'urn:svc:error:conflict', retryable: false });
  const wrong = { actionId: 'add', fieldValues: { amount: 'many' }, stateVersion: 2 };
  expect((await refusalOf(sessions.submit(sessionId, 'count', wrong))).message).toContain('amount');
  const last = await sessions.submit(sessionId, 'count', { actionId: 'finish', stateVersion: 2 });
  expect(last).toMatchObject({ status: 'completed', stateVersion: 3 });

  const events = await following;
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(({ type }) => type)).toEqual([
    'session_created',
    'step_submitted',
    'counted',
    'step_submitted',
    'session_completed',
  ]);
  expect((await sessions.events(sessionId, { after: 3 })).data).toEqual(events.slice(3));
  expect(await Array.fromAsync(follow(sessionId, { after: 3 }))).toEqual(events.slice(3));
  expect(await Array.fromAsync(follow(sessionId, { after: events.length }))).toEqual([]);
  expect(await query(appId, 'total')).toBe(3);
  expect(await flowOf('stranger').query(appId, 'total')).toBeNull();
  expect(await refusalOf(flowOf('stranger').sessions.get(sessionId))).toMatchObject({ status: 404 });
});

test('a session is cancelled, and lists distinguish the states', async () => {
  const { sessions } = flowOf('canceller');
  const first = await sessions.start({ appId, launchContext: { from: 'a test' } });
  const second = await sessions.start({ appId });
  await sessions.cancel(first.sessionId);
  await sessions.cancel(first.sessionId);
  const idsOf = async (filter: { status?: 'active' | 'cancelled'; appId?: string }) =>
    (await Array.fromAsync(sessions.list({ filter, limit: 1 }))).map(({ sessionId }) => sessionId);
  expect(await idsOf({ status: 'cancelled' })).toEqual([first.sessionId]);
  expect(await idsOf({ status: 'active' })).toEqual([second.sessionId]);
  expect(await idsOf({ appId })).toHaveLength(2);
  const late = sessions.submit(first.sessionId, 'count', { actionId: 'finish', stateVersion: 2 });
  expect(await refusalOf(late)).toMatchObject({ status: 409 });
});

test('a subscription is created, listed without its secret, and deleted (contract/flow-apps)', async () => {
  const { subscriptions } = flowOf('subscriber');
  const targetUrl = `${app.url}/hook`;
  const made = await subscriptions.create(appId, { eventType: 'session_completed', targetUrl });
  expect(made.secret).toMatch(/^whsec_/);
  const { secret: _, ...record } = made;
  expect(await Array.fromAsync(subscriptions.list(appId))).toEqual([record]);
  await subscriptions.remove(appId, made.subscriptionId);
  expect(await subscriptions.page(appId)).toEqual({ data: [] });
  const unknown = subscriptions.create(appId, { eventType: 'undeclared', targetUrl });
  expect(await refusalOf(unknown)).toMatchObject({ status: 400 });
});
