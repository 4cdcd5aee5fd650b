/** The inputs of an operation besides its body (parameters in path, query and headers), and a sample call with all of them. */

import { inlineSchema } from '../../api/json-schema.ts';
import type { PathParameterDoc, Route, RouteHeaderDoc } from '../../api/route.ts';
import type { Parameter } from './openapi-document.ts';

type PathParameters = Readonly<Record<string, PathParameterDoc>>;

/** @throws when a route does not describe a parameter of its path. */
export function parametersOf(path: string, described: PathParameters = {}): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const parameter = described[name];
    if (parameter === undefined) throw new Error(`${path} has no description of {${name}}`);
    const { description, schema } = parameter;
    return { name, in: 'path', required: true, description, schema: inlineSchema(schema()) };
  });
}

export function queryOf(route: Route): readonly Parameter[] {
  return (route.doc.query ?? []).map(({ name, description, schema }) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: inlineSchema(schema()),
  }));
}

export function headerParametersOf(headers: readonly RouteHeaderDoc[] = []): readonly Parameter[] {
  return headers.map(({ name, description, required, schema }) => ({
    name,
    in: 'header',
    required,
    description,
    schema: inlineSchema(schema()),
  }));
}

export function shownPath(path: string, described: PathParameters = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'apiKey' ? 'fk_7Kq2mB0xWc9LpT4s.***' : exampleOf(name, described),
  );
}

function exampleOf(name: string, described: PathParameters): string {
  return described[name]?.example ?? name;
}

/** A sample call. Every value that the caller must send, besides credential and body, has an example in it. */
export function curl(
  {
    method,
    accessLevel,
    doc,
  }: Pick<Route, 'method' | 'accessLevel'> & { readonly doc?: Pick<Route['doc'], 'headers'> },
  path: string,
  described: PathParameters | undefined,
  body: unknown,
  publicUrl: string,
) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name, described ?? {}));
  const lines = [`curl ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}"${publicUrl}${filled}"`];
  if (accessLevel === 'caller') lines.push('-H "X-API-Key: $FLOWGATE_API_KEY"');
  if (accessLevel === 'token' || accessLevel === 'admin') lines.push('-H "Authorization: Bearer $FLOWGATE_TOKEN"');
  for (const { name, required, example } of doc?.headers ?? [])
    if (required) lines.push(`-H '${name}: ${example ?? ''}'`);
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`);
  return { lang: 'Shell', label: 'curl', source: lines.join(' \\\n  ') } as const;
}
