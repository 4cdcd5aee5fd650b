/** Generates the client's description of the gateway's routes: body types, and shapes for checking responses. */

import type { Schema } from '../../apps/gateway/src/api/json-schema.ts';
import type { Content, OpenApiDocument } from '../../apps/gateway/src/edge/openapi/openapi-document.ts';

const generated = 'Generated from the OpenAPI document, see `bodies.ts`.';

type Named = { readonly route: string; readonly body: string | undefined; readonly answer: string | undefined };

/** The schema name of a JSON body. */
function bodyName(content: Content | undefined): string | undefined {
  return content?.['application/json']?.schema.$ref?.split('/').at(-1);
}

/** Without routes that return pages, and without JSON-RPC and agents, which have several bodies. */
const ownClients: readonly string[] = ['JSON-RPC', 'Agents'];

function routesOf({ paths }: OpenApiDocument): readonly Named[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, responses, tags }]) => {
      const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
      const answer = bodyName(response?.content);
      if (tags.some((tag) => ownClients.includes(tag)) || (answer === undefined && response?.content !== undefined))
        return [];
      return [{ route: `${method.toUpperCase()} ${path}`, body: bodyName(requestBody?.content), answer }];
    }),
  );
}

/** Unformatted. */
export function clientRoutes(document: OpenApiDocument): string {
  const routes = routesOf(document);
  const lines = routes.map(
    ({ route, body, answer }) => `'${route}': { body: ${bodyType(route, body)}; answer: ${typeName(answer)} };`,
  );
  return `/** The routes of the gateway with their JSON bodies. ${generated} */

import type * as bodies from './bodies.ts';

export type Routes = {
${lines.join('\n')}
};
`;
}

/** A route that accepts a body but describes none accepts an empty object. */
function bodyType(route: string, name: string | undefined): string {
  return name === undefined && /^P/.test(route) ? 'Record<string, never>' : typeName(name);
}

function typeName(name: string | undefined): string {
  return name === undefined ? 'undefined' : `bodies.${name}`;
}

/** The shapes of responses. Pages that contain only entries and a cursor have none. */
export function clientShapes(document: OpenApiDocument): string {
  const { schemas } = document.components;
  const written = new Map<string, string>();
  const write = (name: string): void => {
    const schema = schemas[name];
    if (schema === undefined || written.has(name)) return;
    for (const [, inner = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) write(inner);
    if (!isPage(schema)) written.set(name, shapeOf(schema));
  };
  for (const { answer = '' } of routesOf(document)) write(answer);
  const consts = [...written].map(
    ([name, shape]) => `export const ${constant(name)}: Shape<bodies.${name}> = ${shape};`,
  );
  return `/** The shapes of responses. ${generated} */

import type { Shape } from '../shape.ts';
import type * as bodies from './bodies.ts';

${consts.join('\n\n')}
`;
}

function isPage({ properties = {} }: Schema): boolean {
  return Object.keys(properties).join() === 'data,nextCursor' && properties['data']?.items?.$ref !== undefined;
}

function constant(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const kinds: Readonly<Record<string, string>> = { string: 's', integer: 'n', number: 'n', boolean: 'b' };

/** Enumeration values are omitted, because a newer gateway may add some. */
function shapeOf({ $ref, type, items, properties = {}, required = [] }: Schema): string {
  if ($ref !== undefined) return constant($ref.split('/').at(-1) ?? '');
  if (type === 'array') return `[${shapeOf(items ?? {})}]`;
  if (type !== 'object') return `'${(typeof type === 'string' ? kinds[type] : undefined) ?? '*'}'`;
  const members = Object.entries(properties).map(
    ([name, schema]) => `'${name}${required.includes(name) ? '' : '?'}': ${shapeOf(schema)}`,
  );
  return `{ ${members.join(', ')} }`;
}
