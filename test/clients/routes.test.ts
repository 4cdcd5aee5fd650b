/**
 * Every route of the gateway's OpenAPI document has a function of the client, whose request conforms to the document
 * (docs/decisions/0115).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createFlowgate, type Flowgate } from '../../client/src/create-flowgate.ts';
import { routeCalls, routesWithoutFunction } from './route-calls.ts';

type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean };
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: unknown;
};
type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

let gateway: RunningGateway;
let operations: ReadonlyMap<string, Operation>;

beforeAll(async () => {
  gateway = await startGateway();
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as OpenApi;
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
});
afterAll(() => gateway.stop());

/** The request of the call. It is answered by a refusal, whose handling does not matter here. */
async function asked(call: (client: Flowgate) => unknown): Promise<Request> {
  const requests: Request[] = [];
  const client = createFlowgate({
    url: 'http://gateway.example',
    apiKey: 'fk_test',
    fetch: async (url, init) => {
      requests.push(new Request(url, init));
      return new Response(null, { status: 404 });
    },
  });
  await Promise.resolve(call(client)).catch(() => undefined);
  expect(requests).toHaveLength(1);
  return requests[0] ?? new Request('http://none');
}

test('each route has a function of the client or a reason for having none, and all listed routes exist', () => {
  const known = [...Object.keys(routeCalls), ...Object.keys(routesWithoutFunction)];
  expect(known.toSorted()).toEqual([...operations.keys()].toSorted());
});

test('each function sends the documented method, path, query, headers and body, and a credential where one is required', async () => {
  for (const [route, call] of Object.entries(routeCalls)) {
    const [method = '', path = ''] = route.split(' ');
    const operation = operations.get(route);
    if (operation === undefined) throw new Error(route);
    const request = await asked(call);
    const { pathname, searchParams } = new URL(request.url);
    const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    const parameters = operation.parameters ?? [];
    const named = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
    expect([route, request.method, pattern.test(pathname)]).toEqual([route, method, true]);
    expect([route, [...searchParams.keys()].toSorted()]).toEqual([route, named('query').toSorted()]);
    const wanted = parameters.filter((each) => each.in === 'header' && each.required).map(({ name }) => name);
    expect([route, wanted.filter((name) => !request.headers.has(name))]).toEqual([route, []]);
    expect([route, request.body !== null || method === 'GET' || method === 'DELETE']).toEqual([route, true]);
    expect([route, request.headers.has('x-api-key')]).toEqual([route, operation.security.length > 0]);
  }
});
