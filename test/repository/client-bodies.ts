/**
 * Generates the client's types of bodies. `openapi-typescript` converts the document's schemas; each becomes an
 * exported type with the schema's name.
 */

import { join } from 'node:path';
import { installedPackages } from '@flowgate/testing/installed-packages';
import type { Schema } from '../../apps/gateway/src/api/json-schema.ts';

type Schemas = Readonly<Record<string, Schema>>;

type OpenApiTypeScript = {
  readonly default: (
    document: string,
    options: { readonly immutable: true; readonly silent: true },
  ) => Promise<unknown>;
  readonly astToString: (ast: unknown) => string;
};

const head = `/**
 * The bodies on the wire, by their names in the gateway's OpenAPI document. Generated from it: change the zod schema in the gateway, then run the test
 * client-types.test.ts with UPDATE_DOCS=1.
 */
`;

/** Unformatted. Bodies that are not JSON, such as pages and images, have no type. */
export async function clientBodies(schemas: Schemas): Promise<string> {
  const bodies = Object.entries(schemas).filter(([, { contentMediaType }]) => contentMediaType === undefined);
  // Passed as text, because the library's document type lacks parts of JSON Schema 2020-12.
  const document = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Bodies', version: '1' },
    components: { schemas: mapped(Object.fromEntries(bodies)) },
  });
  const tools = await installedPackages(join(import.meta.dir, '../contract/openapi-tools'));
  const library = Bun.resolveSync('openapi-typescript', tools);
  const { default: openapiTS, astToString }: OpenApiTypeScript = await import(library);
  const text = astToString(await openapiTS(document, { immutable: true, silent: true }));
  const [, types] = /^ {4}schemas: \{\n([\s\S]*?)^ {4}\};$/m.exec(text) ?? [];
  if (types === undefined) throw new Error('openapi-typescript writes components in another form than expected');
  return head + plainComments(exported(types));
}

/** Removes examples, formats and defaults, which would become further lines of comments. */
function withoutValues({ examples: _, format: __, default: ___, ...schema }: Schema): Schema {
  const { items, oneOf, properties } = schema;
  return {
    ...schema,
    ...(items === undefined ? {} : { items: withoutValues(items) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(withoutValues) }),
    ...(properties === undefined ? {} : { properties: mapped(properties) }),
  };
}

function mapped(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutValues(schema)]));
}

/**
 * Members are writable, so that callers can fill an input member by member. Lists and maps with free names stay
 * read-only.
 */
function exported(types: string): string {
  return types
    .replaceAll(/^ {8}readonly (\w+):/gm, 'export type $1 =')
    .replaceAll(/^(\s*)readonly (?!\[)/gm, '$1')
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replaceAll(/^ {8}/gm, '');
}

/** Drops `@enum` and `@constant`, which the type repeats. */
function plainComments(types: string): string {
  return types
    .replaceAll(/^ *\/\*\* @(enum|constant).*\*\/\n/gm, '')
    .replaceAll(/^ *\* @(enum|constant).*\n/gm, '')
    .replaceAll('@description ', '')
    .replaceAll(/@deprecated\n *\* Deprecated: /g, '@deprecated ')
    .replaceAll(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, '/** $1 */')
    .replaceAll(/^(export type)/gm, '\n$1')
    .replaceAll(/^(\/\*\* .* \*\/)\n\n/gm, '\n$1\n');
}
