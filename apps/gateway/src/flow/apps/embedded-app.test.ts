import { expect, test } from 'bun:test';
import type { RenderResponse } from '@flowgate/flow-format/app-responses/render-response-wire';
import type { Manifest } from '@flowgate/flow-format/manifest/manifest';
import { createEmbeddedApps, type LoadedApp } from './embedded-app.ts';
import { createOpenFlowApp, type FlowApp } from './flow-app.ts';
import type { RenderRequest } from './render-request-wire.ts';

const manifest: Manifest = { baseUrl: 'embedded:', startSteps: ['a'], stepIds: ['a'], queries: [], eventTypes: [] };
const named = { appId: 'built-in/a', version: '1.0.0', manifest, sealedSecret: '' };
const request: RenderRequest = {
  protocolVersion: '1',
  requestId: 'r1',
  reason: 'start',
  session: { sessionId: 'ses_1', appId: 'built-in/a', version: '1.0.0', stateVersion: 0, userId: 'usr_1' },
  stepId: 'a',
  state: { count: 1 },
  appData: {},
};
const answer: RenderResponse = { step: { stepId: 'a', title: 'A', fields: [], actions: [] } };

function open(app: Partial<LoadedApp>, renderTimeoutMs = 60_000, errors: unknown[] = []): FlowApp {
  const loaded = { ...named, name: 'A', renderStep: () => answer, health: () => undefined, ...app };
  return createEmbeddedApps([loaded], { renderTimeoutMs, onError: (_appId, error) => errors.push(error) })(named);
}

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test('an embedded app renders like an app over HTTP, synchronously or asynchronously (contract/flow-apps#downstream)', async () => {
  expect(await open({}).render(request)).toEqual({ ok: true, value: bytesOf(answer) });
  expect(await open({ renderStep: async () => answer }).render(request)).toEqual({ ok: true, value: bytesOf(answer) });
});

test('the gateway and the app share no object: later changes by the app have no effect', async () => {
  let mine: RenderRequest | undefined;
  const response = { ...answer, state: { list: [1] } };
  const app = open({
    renderStep(given) {
      mine = given;
      Object.assign(given.state, { count: 99 });
      return response;
    },
  });
  const rendered = await app.render(request);
  response.state.list.push(2);
  expect(request.state).toEqual({ count: 1 });
  expect(mine).not.toBe(request);
  expect(rendered).toEqual({ ok: true, value: bytesOf({ ...answer, state: { list: [1] } }) });
});

test('a response is converted to JSON; one that is not JSON, or larger than 1 MiB, is invalid and not retryable (contract/flow-apps#downstream)', async () => {
  const rendered = (renderStep: () => unknown) => open({ renderStep }).render(request);
  expect(await rendered(() => ({ when: new Date(0), nothing: undefined }))).toEqual({
    ok: true,
    value: bytesOf({ when: '1970-01-01T00:00:00.000Z' }),
  });
  const circle: { self?: unknown } = {};
  circle.self = circle;
  for (const value of [undefined, () => answer, { amount: 10n }, { amount: Number.NaN }, [1 / 0], circle])
    expect(await rendered(() => value)).toEqual({
      ok: false,
      detail: "the app's answer is not JSON",
      retryable: false,
    });
  expect(await rendered(() => 'x'.repeat(1_048_576))).toMatchObject({ ok: false, retryable: false });
  expect(await rendered(() => 'x'.repeat(1_048_574))).toMatchObject({ ok: true });
});

test('an error thrown by an app is reported to the operator, and to the caller as retryable without its text (contract/flow-apps#downstream)', async () => {
  const errors: unknown[] = [];
  const failure = new Error('the seed phrase was: abandon abandon');
  const throwing = () => {
    throw failure;
  };
  for (const renderStep of [throwing, async () => throwing()])
    expect(await open({ renderStep }, 60_000, errors).render(request)).toEqual({
      ok: false,
      detail: 'the app failed',
      retryable: true,
    });
  expect(errors).toEqual([failure, failure]);
});

test('an app that does not answer in time fails with a retryable error (contract/flow-apps#downstream)', async () => {
  const never = open({ renderStep: () => new Promise(() => {}) }, 1);
  expect(await never.render(request)).toEqual({
    ok: false,
    detail: 'the app did not answer within 0.001 seconds',
    retryable: true,
  });
});

test('an app without a health function is healthy; false or an exception means unhealthy', async () => {
  const failing = () => Promise.reject(new Error('unavailable'));
  const healthOf = async (health: () => unknown) => (await open({ health }).health()).ok;
  expect(await Promise.all([() => undefined, () => true, () => false, failing].map(healthOf))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('an embedded version that this gateway does not run fails with a retryable error; a version with an address is called over HTTP', async () => {
  const embedded = createEmbeddedApps([], { renderTimeoutMs: 1, onError: () => {} });
  expect(await embedded(named).render(request)).toMatchObject({ ok: false, retryable: true });
  const answered = { ok: true as const, value: bytesOf('http') };
  const http = (): FlowApp => ({ render: async () => answered, health: embedded(named).health });
  const openFlowApp = createOpenFlowApp({ embedded, http });
  const over = (baseUrl: string) => openFlowApp({ ...named, manifest: { ...manifest, baseUrl } }).render(request);
  expect(await over('https://a.example')).toEqual(answered);
  expect(await over('embedded:')).toMatchObject({ ok: false });
});
