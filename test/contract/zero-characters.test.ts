/**
 * U+0000 in paths and queries: PostgreSQL cannot store it, so it reaches no statement (contract/conventions#members).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { isJsonObject, type JsonObject, member } from '@flowgate/json/json-object';
import { postgresMissing } from '@flowgate/testing/postgres';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { migratedDatabase } from '../../apps/gateway/test/fixtures/migrated-database.ts';
import { nodesHere } from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

describe.skipIf(postgresMissing !== undefined)('on PostgreSQL', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    const database = await migratedDatabase();
    gateway = await startGateway({ config: { ...nodesHere, storage: { database } } });
  });
  afterAll(() => gateway.stop());

  test('U+0000 in a parameter of a path or a query, or in a text of a body, never causes a 500', async () => {
    const document = await jsonBody(await gateway.fetch('/openapi.json'));
    const headers = {
      Authorization: `Bearer ${gateway.token('root', { roles: ['admin'] })}`,
      'Content-Type': 'application/json',
    };
    const requests = routesIn(document).flatMap(requestsOf(document));
    const statuses = new Map<string, number>();
    for (const { method, url, body } of requests) {
      // A path with U+0000 has no route, so the document describes no response.
      const response = await fetch(gateway.url + url, { method, headers, ...(body === undefined ? {} : { body }) });
      statuses.set(`${method} ${url} ${body ?? ''}`, response.status);
      await response.body?.cancel();
    }
    expect(statuses.size).toBeGreaterThan(100);
    expect([...statuses].filter(([, status]) => status >= 500)).toEqual([]);
    expect(statuses.get('GET /nodes?dlt=a%00b ')).toBe(400);
    expect(statuses.get('GET /nodes/a%00b ')).toBe(404);
  });

  test('the error names the parameters that contain it', async () => {
    const headers = { Authorization: `Bearer ${gateway.token('root', { roles: ['admin'] })}` };
    const response = await gateway.fetch('/nodes?dlt=%00&networkId=a&limit=1%00&%00=1', { headers });
    const message = await expectStandardError(response, { status: 400, error: 'Bad request', path: '/nodes' });
    expect(message).toBe('dlt, limit must not contain U+0000 (%00)');
  });

  test('a cursor with it is refused, too', async () => {
    const { apiKey } = await gateway.mint('alice');
    for (const place of ['own:a\0b', 'open:a\0b', 'operator:a\0b', 'own:a']) {
      const cursor = Buffer.from(`1.${place}`).toString('base64url');
      const response = await gateway.fetch(`/nodes?cursor=${cursor}`, { headers: { 'X-API-Key': apiKey } });
      expect([place, response.status]).toEqual([place, 400]);
      await response.body?.cancel();
    }
  });
});

type Route = { readonly path: string; readonly method: string; readonly doc: JsonObject };
type Asked = { readonly method: string; readonly url: string; readonly body?: string };

function routesIn({ paths }: JsonObject): readonly Route[] {
  if (!isJsonObject(paths)) throw new Error('no paths');
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isJsonObject(methods) ? methods : {}).flatMap(([method, doc]) =>
      isJsonObject(doc) ? [{ path, method: method.toUpperCase(), doc }] : [],
    ),
  );
}

/** One request for each place that accepts a text. */
function requestsOf(document: JsonObject) {
  return ({ path, method, doc }: Route): readonly Asked[] => {
    const filled = (value: string) => path.replaceAll(/\{[^}]+\}/g, value);
    const parameters = Array.isArray(doc['parameters']) ? doc['parameters'].filter(isJsonObject) : [];
    const names = parameters.flatMap((each) => (each['in'] === 'query' ? [String(each['name'])] : []));
    const example = exampleOf(document, doc);
    const bodied = example === undefined ? {} : { body: JSON.stringify(example) };
    return [
      ...(filled('') === path ? [] : [{ method, url: filled('a%00b'), ...bodied }]),
      ...names.map((name) => ({ method, url: `${filled('ab')}?${name}=a%00b`, ...bodied })),
      ...zeroed(example).map((each) => ({ method, url: filled('ab'), body: JSON.stringify(each) })),
    ];
  };
}

/** For the body of the route. */
function exampleOf(document: JsonObject, { requestBody }: JsonObject): unknown {
  const at = (value: unknown, ...names: string[]): unknown =>
    names.reduce<unknown>((found, name) => member(found, name), value);
  const schema = at(requestBody, 'content', 'application/json', 'schema');
  const name = String(member(schema, '$ref') ?? '').slice('#/components/schemas/'.length);
  const named = at(document, 'components', 'schemas', name);
  const examples = [schema, named].flatMap((each) => [member(each, 'examples'), member(each, 'example')]);
  const [first] = examples.filter((each) => each !== undefined);
  return Array.isArray(first) ? first[0] : first;
}

/** The value once for each text in it, with U+0000 in that text. */
function zeroed(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [`${value}\0`, `\0${value}`];
  if (Array.isArray(value))
    return value.flatMap((each: unknown, at) => zeroed(each).map((other) => value.with(at, other)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => zeroed(each).map((other) => ({ ...value, [name]: other })));
}
