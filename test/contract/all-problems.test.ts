/**
 * The response to an invalid body names all its problems at once: members, headers and fields (contract/conventions,
 * contract/flow-apps).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createFlowgate } from '@flowgate/client';
import type { StepSpec } from '@flowgate/client/flow-wire';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let stop: FlowGateway['stop'];

const slow = '(\\pL|\\d|\\w){60}z';
const field = (fieldId: string, type: string, more: object = {}) => ({ fieldId, type, label: fieldId, ...more });
const step = {
  stepId: 'count',
  title: 'Form',
  fields: [
    field('amount', 'amount', { required: true }),
    field('day', 'date'),
    field('name', 'text', { pattern: '[a-z]+' }),
    field('code', 'text', { pattern: slow }),
    field('pin', 'secret', { required: true, min: 4 }),
  ],
  actions: [
    { actionId: 'go', label: 'Go' },
    { actionId: 'back', label: 'Back', validate: false },
  ],
} as StepSpec;

beforeAll(async () => {
  ({ gateway, stop } = await startFlowGateway({}, () => ({ step })));
});
afterAll(() => stop());

const messages = (...all: readonly string[]) => all.map((message) => ({ message }));

async function errorsOf(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  const { errors, detail } = await jsonBody(response);
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  for (const { fieldId, message } of errors as { fieldId?: string; message: string }[])
    expect(detail).toContain(fieldId === undefined ? message : `field ${fieldId} ${message}`);
  return errors;
}

const submit = async (body: unknown, headers: Readonly<Record<string, string>> = { 'Idempotency-Key': 'k' }) => {
  const alice = flowClient(gateway);
  const { sessionId } = await alice.start();
  return alice.post(`/flow/sessions/${sessionId}/steps/count`, body, headers);
};

test('the response to a submission names problems of header and members at once, then of action, unknown fields, values and patterns', async () => {
  expect(await errorsOf(submit({ fieldValues: [], stateVersion: 1.5 }, {}))).toEqual(
    messages(
      'The Idempotency-Key header is required',
      'actionId is required',
      'fieldValues must be a JSON object',
      'stateVersion must be a whole number from 1',
    ),
  );
  const fieldValues = { amount: '-1', day: '2026-02-30', name: 'A', code: 'a'.repeat(900), other: 1, 'b d': 2 };
  expect(await errorsOf(submit({ actionId: 'go', stateVersion: 1, fieldValues }))).toEqual([
    { fieldId: 'other', message: 'is not a field of this step' },
    { message: 'a field of fieldValues is not a field of this step' },
    { fieldId: 'amount', message: expect.stringContaining('must be') },
    { fieldId: 'day', message: expect.stringContaining('must be') },
    { fieldId: 'pin', message: 'is required' },
    { fieldId: 'name', message: 'must match its pattern' },
    { fieldId: 'code', message: 'must match its pattern' },
  ]);
  // An unknown action may or may not disable validation, so only problems that every action has are reported.
  expect(await errorsOf(submit({ actionId: 'nowhere', stateVersion: 1, fieldValues: { other: 1, day: 'x' } }))).toEqual(
    [
      { message: 'actionId is not one of the actions of this step' },
      { fieldId: 'other', message: 'is not a field of this step' },
    ],
  );
  expect((await submit({ actionId: 'back', stateVersion: 1, fieldValues: { day: 'x' } })).status).toBe(200);
});

test('responses to a start, a registration, a publication and a subscription name every wrong member', async () => {
  const alice = flowClient(gateway, 'publisher');
  const start = { appId: 'nothing', version: 7, startStepId: '', launchContext: [] };
  expect(await errorsOf(alice.post('/flow/sessions', start))).toEqual(
    messages(
      'appId must be publisher/slug',
      'version must be a string',
      'startStepId must have 1 to 256 characters',
      'launchContext must be a JSON object',
    ),
  );
  const registration = { appId: 'No Slug', name: '', description: 1, visibility: 'shared' };
  expect(await errorsOf(alice.post('/flow/registry/apps', registration))).toHaveLength(4);
  const texts = { appId: 'acme/texts', name: 'Enter your seed phrase', description: '<script>alert(1)</script>' };
  expect(await errorsOf(alice.post('/flow/registry/apps', texts))).toEqual([
    { message: expect.stringMatching(/^name: content-filter rule/) },
    { message: expect.stringMatching(/^description: content-filter rule/) },
  ]);
  const version = {
    version: 'one',
    baseUrl: 'ftp://x',
    signingSecret: 'short',
    steps: [{ stepId: '' }, {}],
    queries: [{ queryId: 'q', path: 'total' }],
    events: 'counted',
  };
  expect(await errorsOf(alice.post('/flow/registry/apps/acme/counter/versions', version))).toEqual(
    ['version', 'baseUrl', 'signingSecret', 'steps[0].stepId', 'steps[1].stepId', 'queries[0].path', 'events'].map(
      (place) => ({ message: expect.stringContaining(`${place} `) }),
    ),
  );
  const subscription = { eventType: 1, targetUrl: 'http://10.0.0.1/', secret: 'short' };
  expect(await errorsOf(alice.post('/flow/apps/acme/counter/subscriptions', subscription))).toEqual([
    { message: 'eventType must be a string' },
    { message: 'secret must have 16 to 256 characters' },
    { message: expect.stringMatching(/^targetUrl: /) },
  ]);
});

test('responses to creating a key and to a list query name all problems in one sentence', async () => {
  const mint = await gateway.fetch('/users/me/api-keys', {
    method: 'POST',
    headers: { Authorization: `Bearer ${gateway.token('alice')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ label: '', scopes: ['admin'], expiresAt: 'tomorrow' }),
  });
  const said = await expectStandardError(mint, { status: 400, error: 'Bad request', path: '/users/me/api-keys' });
  for (const name of ['label', 'scopes', 'expiresAt']) expect(said).toContain(`${name} m`);
  const list = await flowClient(gateway).get('/flow/sessions?limit=0&cursor=x&status=odd&appId=none');
  const { detail } = await jsonBody(list);
  for (const name of ['limit', 'cursor', 'status', 'appId']) expect(detail).toContain(`${name} `);
});

test('fifty problems are named and the others counted, and no value is repeated', async () => {
  const fieldValues = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, 's3cr3t-value']));
  const response = await submit({ actionId: 'go', stateVersion: 1, fieldValues });
  const text = await response.text();
  const body = JSON.parse(text) as { errors: unknown[]; detail: string };
  expect(body.errors).toHaveLength(50);
  expect(body.detail).toEndWith('; and 1952 more');
  expect(text).not.toContain('s3cr3t-value');
});

test('agents and the client receive the list of problems', async () => {
  const { apiKey } = await gateway.mint('agent');
  const client = createFlowgate({ url: gateway.url, fetch: checkedFetch, apiKey });
  const session = await client.flow.sessions.start({ appId: 'acme/counter' });
  const submission = { actionId: 'go', stateVersion: 1, fieldValues: {} };
  const missing = ['amount', 'pin'].map((fieldId) => ({ fieldId, message: 'is required' }));
  const error: unknown = await client.flow.sessions
    .submit(session.sessionId, 'count', submission)
    .catch((caught) => caught);
  expect(error instanceof FlowgateError ? error.errors : error).toEqual(missing);
  const args = { sessionId: session.sessionId, stepId: 'count', ...submission, idempotencyKey: 'k' };
  const response = await gateway.fetch('/mcp', {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'submit_flow_step', arguments: args },
    }),
  });
  expect(await response.json()).toMatchObject({ result: { isError: true, structuredContent: { errors: missing } } });
});
