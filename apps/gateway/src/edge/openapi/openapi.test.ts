import { expect, test } from 'bun:test';
import { createTimeSlices, runAtOnce } from '@flowgate/async/time-slices';
import { systemClock } from '@flowgate/base/clock';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { schemaCheck } from '../../../test/fixtures/schema-problems.ts';
import type { Schema } from '../../api/json-schema.ts';
import { refusals } from '../../api/refusal.ts';
import type { Route } from '../../api/route.ts';
import { appRoutes } from '../../flow/apps/app-routes.ts';
import { deliveryRoutes } from '../../flow/events/delivery-routes.ts';
import { type EventRouteDeps, eventRoutes } from '../../flow/events/event-routes.ts';
import type { SessionDeps } from '../../flow/sessions/session-deps.ts';
import { sessionRoutes } from '../../flow/sessions/session-routes.ts';
import { type IdentityDeps, identityRoutes } from '../../identity/identity-routes.ts';
import { keyIdParameter, mintedApiKey } from '../../identity/keys/api-key-wire.ts';
import { apiKeyInput } from '../../identity/keys/mint-request.ts';
import { agentRoute } from '../../mcp/mcp-routes.ts';
import { rpcRefusals, rpcRoutes } from '../../rpc/rpc-routes.ts';
import { openApiDocument } from './openapi.ts';
import type { Operation } from './openapi-document.ts';
import { referenceRoutes } from './reference/reference-routes.ts';

const doc = {
  summary: 'A route',
  description: 'For tests.',
  tag: 'Tests',
  responses: [{ status: 204, description: 'Done.' }],
};
const handle = () => ({ status: 204 });
const routes: readonly Route[] = [
  { method: 'GET', path: '/open', accessLevel: 'public', doc: { ...doc, refusals: [] }, handle },
  { method: 'GET', path: '/mine', accessLevel: 'caller', doc: { ...doc, refusals: ['not-found'] }, handle },
  {
    method: 'POST',
    path: '/mine',
    accessLevel: 'token',
    doc: {
      ...doc,
      body: apiKeyInput,
      responses: [{ status: 201, description: 'Made.', schema: mintedApiKey }],
      refusals: ['conflict'],
    },
    handle,
  },
  {
    method: 'DELETE',
    path: '/all/{keyId}',
    accessLevel: 'admin',
    doc: { ...doc, path: { keyId: keyIdParameter }, refusals: [] },
    handle,
  },
  ...identityRoutes({} as IdentityDeps),
  ...sessionRoutes({} as SessionDeps),
  ...eventRoutes({} as EventRouteDeps),
  ...referenceRoutes(() => openApiDocument(options), createTimeSlices(systemClock)),
];
const limits = { userPerMinute: 300, sessionPerMinute: 60, invalidPerMinute: 300, maxBatch: 7, maxBodyBytes: 1024 };
const outgoingRoutes = [...appRoutes, ...deliveryRoutes];
const options = {
  routes,
  rpcRoutes,
  agentRoute,
  outgoingRoutes,
  publicUrl: 'https://gateway.example/',
  version: '1.2.3',
  limits,
};
const document = runAtOnce(openApiDocument(options));
const check = schemaCheck(document, 'strict');
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`no ${method} ${path}`);
  return found;
}

test('the document and the route tables have the same operations', () => {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = [
    ...routes.map(({ method, path }) => `${method} ${path}`),
    ...rpcRoutes.map(({ path }) => `POST ${path.replace('?', '')}`),
    `POST ${agentRoute.path}`,
  ];
  expect(documented.sort()).toEqual(routed.sort());
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routed.length);
});

test('every example satisfies its schema and has only members that the schema names', () => {
  const asked = Object.values(document.webhooks).flatMap((methods) => Object.values(methods));
  const contents = [...operations, ...asked].flatMap((each) => [
    ...(each.requestBody === undefined ? [] : [each.requestBody.content]),
    ...Object.values(each.responses).flatMap(({ content }) => (content === undefined ? [] : [content])),
  ]);
  const problems = contents.flatMap((content) =>
    Object.values(content).flatMap(({ schema, examples = {} }) =>
      Object.entries(examples).flatMap(([name, { value }]) =>
        check(value, schema).map((problem) => `${name} ${problem}`),
      ),
    ),
  );
  const own = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    (schema.examples ?? []).flatMap((value) => check(value, schema).map((problem) => `${name} ${problem}`)),
  );
  expect([...problems, ...own]).toEqual([]);
});

test('the schema check reports a wrong type, a missing member and an undocumented member', () => {
  const { UserId = {}, ApiKeyInput = {} } = document.components.schemas;
  expect(check({ id: 1 }, UserId)).toEqual(['/id: Instance type "number" is invalid. Expected "string".']);
  expect(check({}, UserId)).toEqual(['the body: Instance does not have required property "id".']);
  expect(check({ id: 'u', secret: 's' }, UserId)).toEqual(['/secret: No schema names this member.']);
  expect(schemaCheck(document, 'lenient')({ id: 'u', secret: 's' }, UserId)).toEqual([]);
  expect(check({ label: '' }, ApiKeyInput)).toEqual(['/label: String is too short (0 < 1).']);
  expect(check({ label: 'ok', scopes: null }, ApiKeyInput)).toEqual([]);
  expect(check({ data: [{ keyId: 'short' }] }, document.components.schemas['ApiKeyPage'] ?? {})).toContain(
    '/data/0/keyId: String does not match pattern.',
  );
});

test('every reference has a target', () => {
  const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  const { schemas, headers } = document.components;
  const names = new Set([
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(headers).map((name) => `headers/${name}`),
  ]);
  expect(pointers.length).toBeGreaterThan(100);
  expect(pointers.map(([, kind, name]) => `${kind}/${name}`).filter((pointer) => !names.has(pointer))).toEqual([]);
});

test('which credentials a route takes follows from its access level (contract/credentials)', () => {
  const schemes = (method: string, path: string) =>
    operation(method, path).security.flatMap((each) => Object.keys(each));
  expect(schemes('get', '/open')).toEqual([]);
  expect(schemes('get', '/mine')).toEqual(['accessToken', 'apiKey', 'apiKeyAsBearer']);
  expect(schemes('post', '/mine')).toEqual(['accessToken']);
  expect(schemes('delete', '/all/{keyId}')).toEqual(['accessToken']);
  expect(schemes('post', '/rpc')).toEqual(['apiKey', 'apiKeyAsBearer']);
  expect(schemes('post', '/rpc/{apiKey}')).toEqual([]);
  expect(operation('post', '/rpc/{apiKey}').parameters.map(({ name, in: where }) => `${where} ${name}`)).toEqual([
    'path apiKey',
    'header X-Flowgate-Trace',
  ]);
});

test('the edge adds its own refusals to those of a route (contract/conventions, contract/keys, contract/tokens)', () => {
  const statuses = (method: string, path: string) => Object.keys(operation(method, path).responses);
  expect(statuses('get', '/open')).toEqual(['204', '405', '500']);
  expect(statuses('get', '/mine')).toEqual(['204', '401', '404', '405', '429', '500', '503']);
  expect(statuses('post', '/mine')).toEqual([
    '201',
    '400',
    '401',
    '403',
    '405',
    '408',
    '409',
    '413',
    '415',
    '429',
    '500',
    '503',
  ]);
  expect(statuses('delete', '/all/{keyId}')).toContain('403');
});

test('a JSON-RPC path documents each of its refusals with the status and envelope of the catalog (contract/json-rpc)', () => {
  const { responses } = operation('post', '/rpc');
  // Two refusals occur only for single messages of a batch.
  for (const reason of rpcRefusals.filter((each) => each !== 'unanswered' && each !== 'message-denied')) {
    const { status, rpc } = refusals[reason];
    const example = responses[String(rpc?.status ?? status)]?.content?.['application/json']?.examples?.[reason];
    expect(example?.value).toMatchObject(
      rpc === undefined ? { status, error: refusals[reason].label } : { jsonrpc: '2.0', error: { code: rpc.code } },
    );
  }
  expect(JSON.stringify(responses['200'])).toContain('-32603');
  expect(JSON.stringify(responses['502'])).not.toContain('-32603');
});

test('/flow/* documents only ProblemDetails (contract/errors#envelopes)', () => {
  const { responses } = operation('post', '/flow/sessions/{sessionId}/steps/{stepId}');
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  expect(refusals.length).toBeGreaterThan(8);
  expect(
    refusals
      .flatMap(([, { content = {} }]) => Object.keys(content))
      .every((type) => type === 'application/problem+json'),
  ).toBe(true);
});

test('answers after the limiter have limit headers, and only 429 and 503 have Retry-After (contract/limits; contract/conventions#retry-after)', () => {
  const { responses } = operation('post', '/mine');
  const has = (status: string, header: string) => Object.keys(responses[status]?.headers ?? {}).includes(header);
  expect(['201', '400', '403', '409', '429'].filter((status) => !has(status, 'X-RateLimit-Remaining'))).toEqual([]);
  expect(['401', '405'].filter((status) => has(status, 'X-RateLimit-Remaining'))).toEqual([]);
  expect(Object.keys(responses).filter((status) => has(status, 'Retry-After'))).toEqual(['429', '503']);
  expect(has('201', 'Location') && has('401', 'WWW-Authenticate') && has('405', 'Allow')).toBe(true);
});

test('every tag of routes and webhooks is described (contract/flow-apps)', () => {
  const tags = document.tags.filter(({ name }) => name !== 'Tests');
  expect(tags.filter(({ description }) => description.length < 15)).toEqual([]);
  const names = tags.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Flow sessions', 'Flow Apps', 'Flow webhooks']));
});

/** All schemas with their paths, at any depth. */
function* schemasIn(schema: Schema, place: string): Generator<readonly [string, Schema]> {
  yield [place, schema];
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* schemasIn(member, `${place}.${name}`);
  for (const each of schema.oneOf ?? []) yield* schemasIn(each, `${place}|`);
  if (schema.items !== undefined) yield* schemasIn(schema.items, `${place}[]`);
}

test('generators make usable types: no member with a default is required, no object is empty, every list has items', () => {
  const all = Object.entries(document.components.schemas).flatMap(([name, schema]) => [...schemasIn(schema, name)]);
  expect(all.length).toBeGreaterThan(200);
  const is = ({ type }: Schema, name: string) => [type ?? []].flat().includes(name);
  const wrong = all.filter(
    ([, schema]) =>
      schema.default !== undefined ||
      (is(schema, 'object') && schema.properties === undefined && schema.additionalProperties !== true) ||
      (is(schema, 'array') && schema.items === undefined) ||
      (schema.required ?? []).some((name) => schema.properties?.[name] === undefined),
  );
  expect(wrong.map(([place]) => place)).toEqual([]);
});

test('the document describes the signed requests to apps and webhook endpoints (contract/flow-apps)', () => {
  const asked = Object.entries(document.webhooks).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => ({
      name: `${method} ${name}`,
      signed: parameters.filter((parameter) => parameter.name.startsWith('webhook-')).length,
      body: Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.$ref),
      answer: Object.values(responses['200']?.content ?? {}).map(({ schema }) => schema.$ref),
    })),
  );
  const schema = (name: string) => `#/components/schemas/${name}`;
  expect(asked).toEqual([
    { name: 'post renderStep', signed: 3, body: [schema('RenderRequest')], answer: [schema('RenderResponse')] },
    { name: 'get health', signed: 3, body: [], answer: [] },
    { name: 'post event', signed: 3, body: [schema('WebhookBody')], answer: [] },
  ]);
});

test('two bodies of one name are an error when the document is built', () => {
  const impostor: Route = {
    method: 'GET',
    path: '/x',
    accessLevel: 'public',
    doc: {
      ...doc,
      responses: [
        { status: 200, description: '', schema: bodySchema('ApiKeyInput', 'Another one.', () => z.object({})) },
      ],
      refusals: [],
    },
    handle,
  };
  expect(() => runAtOnce(openApiDocument({ ...options, routes: [...routes, impostor] }))).toThrow('ApiKeyInput');
});

test('a path parameter without a description is an error when the document is built', () => {
  const broken: Route = {
    method: 'GET',
    path: '/all/{partId}',
    accessLevel: 'caller',
    doc: { ...doc, refusals: [] },
    handle,
  };
  expect(() => runAtOnce(openApiDocument({ ...options, routes: [...routes, broken] }))).toThrow('{partId}');
});

test('the document contains the configured limits and the public address', () => {
  expect(document.servers).toEqual([{ url: 'https://gateway.example' }]);
  expect(document.components.schemas['JsonRpcBatch']?.maxItems).toBe(7);
  expect(operation('post', '/rpc')['x-codeSamples'][0]?.source).toStartWith('curl "https://gateway.example/rpc"');
});

test('a submission documents its key, payment headers and response headers; events are also a stream (contract/flow-apps)', () => {
  const submit = document.paths['/flow/sessions/{sessionId}/steps/{stepId}']?.['post'];
  const headers = (submit?.parameters ?? []).filter((parameter) => parameter.in === 'header');
  expect(headers.map(({ name, required }) => [name, required])).toEqual([
    ['Idempotency-Key', true],
    ['PAYMENT-SIGNATURE', false],
    ['X-Payment', false],
  ]);
  expect(submit?.['x-codeSamples'][0]?.source).toContain("-H 'Idempotency-Key: ");
  expect(Object.keys(submit?.responses['200']?.headers ?? {})).toContain('Idempotency-Replayed');
  expect(Object.keys(submit?.responses['402']?.headers ?? {})).toContain('PAYMENT-REQUIRED');
  const events = document.paths['/flow/sessions/{sessionId}/events']?.['get'];
  expect(Object.keys(events?.responses['200']?.content ?? {})).toEqual(['application/json', 'text/event-stream']);
});
