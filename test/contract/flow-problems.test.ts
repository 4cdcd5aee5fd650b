/**
 * Every row of the ProblemDetails table, and the three that contract/flow-apps adds, over HTTP
 * (contract/errors#envelopes).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { RenderRequest, Session } from '@flowgate/client/flow-wire';
import { createEdge, type EdgeOptions } from '../../apps/gateway/src/edge/edge.ts';
import { agentRoute } from '../../apps/gateway/src/mcp/mcp-routes.ts';
import { contextDeps } from '../../apps/gateway/test/fixtures/context-deps.ts';
import { counter, countStep, type FlowAppFixture, publishFlowApp } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type FlowClient, flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { openSqliteConnection } from '../../apps/gateway/test/fixtures/sqlite-connection.ts';
import { openTestServer } from '../../apps/gateway/test/fixtures/test-server.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
let stop: FlowGateway['stop'];
let alice: FlowClient;
let keys = 0;

beforeAll(async () => {
  ({ gateway, app, stop } = await startFlowGateway({ limits: { userPerMinute: 10_000, sessionPerMinute: 5 } }));
  alice = flowClient(gateway);
});
afterAll(() => stop());

const submit = ({ sessionId, stateVersion }: Session, members: object = {}, stepId = 'count') => {
  keys += 1;
  return alice.post(
    `/flow/sessions/${sessionId}/steps/${stepId}`,
    { actionId: 'add', fieldValues: { amount: 1 }, stateVersion, ...members },
    { 'Idempotency-Key': `problem-${keys}` },
  );
};

type Row = { readonly type: string; readonly status: number; readonly retryable: boolean; readonly detail: RegExp };

async function expectProblem(response: Response, { type, status, retryable, detail }: Row): Promise<void> {
  const body = (await response.json()) as Readonly<Record<string, unknown>>;
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(body).toMatchObject({ type: `urn:svc:error:${type}`, status, retryable });
  expect(body['detail']).toMatch(detail);
  expect(body['title']).toBeString();
  expect(body['instance']).toBe(response.headers.get('x-request-id'));
  const retryAfter = response.headers.get('retry-after');
  expect(retryAfter === null ? undefined : Number(retryAfter) > 0).toBe(
    status === 429 || status === 503 ? true : undefined,
  );
}

async function withScript<T>(script: (request: RenderRequest) => unknown, work: () => Promise<T>): Promise<T> {
  app.script(script);
  try {
    return await work();
  } finally {
    app.script(counter);
  }
}

const unauthenticated = (headers: Readonly<Record<string, string>> = {}) =>
  gateway.fetch('/flow/sessions', { headers });

test.each<readonly [string, () => Promise<Response>, Row]>([
  [
    'a schema that fails',
    () => alice.post('/flow/sessions', { appId: 7 }),
    { type: 'bad-request', status: 400, retryable: false, detail: /appId/ },
  ],
  [
    'a business rule that fails',
    async () => submit(await alice.start(), { fieldValues: { amount: 1001 } }),
    { type: 'bad-request', status: 400, retryable: false, detail: /amount/ },
  ],
  [
    'a submission without its key',
    async () => alice.post(`/flow/sessions/${(await alice.start()).sessionId}/steps/count`, { actionId: 'add' }),
    { type: 'bad-request', status: 400, retryable: false, detail: /Idempotency-Key.*required/ },
  ],
  [
    'no credential',
    () => unauthenticated(),
    { type: 'unauthorized', status: 401, retryable: false, detail: /credential/i },
  ],
  [
    'an invalid credential',
    () => unauthenticated({ 'X-API-Key': 'fk_unknown' }),
    { type: 'unauthorized', status: 401, retryable: false, detail: /unknown/ },
  ],
  [
    'another publisher’s app',
    () => alice.post('/flow/registry/apps/acme/counter/versions', versionInput('3.0.0')),
    { type: 'unauthorized', status: 403, retryable: false, detail: /./ },
  ],
  [
    'an absent session',
    () => alice.get('/flow/sessions/ses_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    { type: 'not-found', status: 404, retryable: false, detail: /session/ },
  ],
  [
    'an absent app',
    () => alice.post('/flow/sessions', { appId: 'acme/absent' }),
    { type: 'not-found', status: 404, retryable: false, detail: /app/i },
  ],
  [
    'an absent version',
    () => alice.post('/flow/sessions', { appId: 'acme/counter', version: '9.9.9' }),
    { type: 'not-found', status: 404, retryable: false, detail: /version/i },
  ],
  [
    'an absent step',
    async () => submit(await alice.start(), {}, 'absent'),
    { type: 'not-found', status: 404, retryable: false, detail: /step/ },
  ],
  [
    'an app that is registered twice',
    () => owner().post('/flow/registry/apps', { appId: 'acme/counter', name: 'Again' }),
    { type: 'conflict', status: 409, retryable: false, detail: /registered/ },
  ],
  [
    'a version that exists',
    () => owner().post('/flow/registry/apps/acme/counter/versions', versionInput('1.0.0')),
    { type: 'conflict', status: 409, retryable: false, detail: /exists|published/ },
  ],
  [
    'a stale stateVersion',
    async () => submit(await alice.start(), { stateVersion: 0 + 7 }),
    { type: 'conflict', status: 409, retryable: false, detail: /stateVersion/ },
  ],
  [
    'an app that fails',
    () => {
      return withScript(
        () => new Response('x', { status: 500 }),
        () => alice.post('/flow/sessions', { appId: 'acme/counter' }),
      );
    },
    { type: 'bad-gateway', status: 502, retryable: true, detail: /renderStep answered 500/ },
  ],
  [
    'an app whose answer is no step',
    () => {
      return withScript(
        () => ({ step: { stepId: 'count' } }),
        () => alice.post('/flow/sessions', { appId: 'acme/counter' }),
      );
    },
    { type: 'bad-gateway', status: 502, retryable: false, detail: /title/ },
  ],
  [
    'text that the content filter denies',
    () => {
      return withScript(
        () => ({ step: { ...countStep(0), title: '<script>alert(1)</script>' } }),
        () => alice.post('/flow/sessions', { appId: 'acme/counter' }),
      );
    },
    {
      type: 'bad-gateway',
      status: 502,
      retryable: false,
      detail: /^content-filter rule \S+ rejected text at \/step\/title$/,
    },
  ],
  [
    'a paid step without a payment',
    async () => {
      const session = await withScript(
        () => ({ step: { ...countStep(0), payment: { accepts: [offer] } } }),
        () => alice.start(),
      );
      return submit(session);
    },
    { type: 'payment-required', status: 402, retryable: false, detail: /paid/ },
  ],
])('%s', async (_, ask, row) => {
  await expectProblem(await ask(), row);
});

const offer = {
  scheme: 'exact',
  network: 'eip155:31337',
  asset: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  amount: '1000',
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  maxTimeoutSeconds: 60,
  extra: { name: 'Dollar', version: '1' },
};
const owner = () => flowClient(gateway, 'publisher');
const versionInput = (version: string) => ({ version, baseUrl: app.url, steps: [{ stepId: 'count' }] });

test('a second submission while one runs is 409 and may be retried (contract/flow-apps)', async () => {
  const session = await alice.start();
  const release = Promise.withResolvers<void>();
  await withScript(
    async (request) => {
      await release.promise;
      return counter(request);
    },
    async () => {
      const arrived = app.nextArrival();
      const first = submit(session);
      await arrived;
      await expectProblem(await submit(session), {
        type: 'conflict',
        status: 409,
        retryable: true,
        detail: /runs|running|another/i,
      });
      release.resolve();
      expect((await first).status).toBe(200);
    },
  );
});

test('a retired version is 410 for new and running sessions', async () => {
  await publishFlowApp(gateway, app, { appId: 'acme/old' });
  const session = await alice.start('acme/old');
  expect((await owner().post('/flow/registry/apps/acme/old/versions/1.0.0/retire', {})).status).toBe(200);
  const gone = { type: 'gone', status: 410, retryable: false, detail: /retired/ };
  await expectProblem(await alice.post('/flow/sessions', { appId: 'acme/old', version: '1.0.0' }), gone);
  await expectProblem(await submit(session), gone);
});

test('the limit of a session is 429 with Retry-After, and does not count against the user (contract/limits)', async () => {
  const session = await alice.start();
  for (let call = 0; call < 5; call++)
    expect((await alice.get(`/flow/sessions/${session.sessionId}`)).status).toBe(200);
  const refused = await alice.get(`/flow/sessions/${session.sessionId}`);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('5');
  await expectProblem(refused, { type: 'too-many-requests', status: 429, retryable: true, detail: /Retry-After/ });
});

test('a database that cannot be written is 503 with Retry-After, and the app is not called', async () => {
  const session = await alice.start();
  const asked = app.requests.length;
  using lock = openSqliteConnection(gateway.databaseFile);
  lock.run('BEGIN IMMEDIATE');
  await expectProblem(
    await gateway.fetch(`/flow/sessions/${session.sessionId}/steps/count`, {
      method: 'POST',
      headers: { ...alice.headers, 'Idempotency-Key': 'locked' },
      body: JSON.stringify({ actionId: 'add', fieldValues: { amount: 1 }, stateVersion: 1 }),
    }),
    { type: 'service-unavailable', status: 503, retryable: true, detail: /database/ },
  );
  lock.run('ROLLBACK');
  expect(app.requests.length).toBe(asked);
  const again = await submit(session);
  expect(again.status).toBe(200);
});

/** A public route needs none of these. */
const services = {} as unknown as EdgeOptions['services'];

test('a bug is 500 with its own type, and reveals nothing but the request id', async () => {
  const server = openTestServer();
  const edge = createEdge({
    routes: [
      {
        method: 'GET',
        path: '/flow/broken',
        accessLevel: 'public',
        doc: { summary: '', description: '', tag: '', responses: [], refusals: [] },
        handle: () => {
          throw new Error('a secret of the house');
        },
      },
    ],
    rpcRoutes: [],
    agentRoute,
    services,
    notes: server,
    contexts: contextDeps(),
  });
  server.serve(edge);
  const response = await fetch(`http://127.0.0.1:${server.port}/flow/broken`);
  const text = await response.clone().text();
  expect(text).not.toContain('secret of the house');
  await expectProblem(response, { type: 'internal', status: 500, retryable: true, detail: /X-Request-Id/ });
  await server.drain(1_000);
});
