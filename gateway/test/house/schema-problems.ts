/** Checks a value against the JSON Schemas of our OpenAPI document; strict where the document is lenient: members that no schema names are problems. */

import type { Schema } from '../../src/api/json-schema.ts';
import type { OpenApiDocument } from '../../src/http/openapi/openapi-document.ts';

const known = new Set(
  'type required properties additionalProperties items oneOf enum const pattern format minLength maxLength minimum maximum minItems maxItems description default examples contentMediaType $ref'.split(
    ' ',
  ),
);

/** Each problem with its place; none: the value satisfies the schema. Throws for a keyword that it does not check. */
export function schemaProblems(value: unknown, schema: Schema, document: OpenApiDocument, at = '$'): readonly string[] {
  for (const keyword of Object.keys(schema)) if (!known.has(keyword)) throw new Error(`${keyword} is not checked`);
  if (schema.$ref !== undefined) return schemaProblems(value, resolve(schema.$ref, document), document, at);
  if (schema.oneOf !== undefined) {
    const tried = schema.oneOf.map((each) => schemaProblems(value, each, document, at));
    const fitting = tried.filter((problems) => problems.length === 0).length;
    return fitting === 1 ? [] : [`${at}: fits ${fitting} of ${tried.length}: ${tried.flat().join('; ')}`];
  }
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types !== undefined && !types.some((type) => isType(value, type))) return [`${at}: is no ${types.join(' or ')}`];
  if (schema.const !== undefined && value !== schema.const) return [`${at}: is not ${schema.const}`];
  if (schema.enum !== undefined && !schema.enum.some((each) => each === value)) return [`${at}: is not in the enum`];
  if (typeof value === 'string') return stringProblems(value, schema, at);
  if (typeof value === 'number') return outside(value, schema.minimum, schema.maximum) ? [`${at}: out of bounds`] : [];
  if (Array.isArray(value)) {
    if (outside(value.length, schema.minItems, schema.maxItems)) return [`${at}: has ${value.length} items`];
    const { items } = schema;
    return items === undefined
      ? []
      : value.flatMap((item, nth) => schemaProblems(item, items, document, `${at}[${nth}]`));
  }
  return typeof value === 'object' && value !== null ? objectProblems(value, schema, document, at) : [];
}

function objectProblems(value: object, schema: Schema, document: OpenApiDocument, at: string): readonly string[] {
  const { properties, required = [] } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name}: is missing`);
  if (properties === undefined) return missing;
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const of = properties[name];
    if (of === undefined && schema.additionalProperties === true) return [];
    return of === undefined
      ? [`${at}.${name}: is in no schema`]
      : schemaProblems(member, of, document, `${at}.${name}`);
  });
  return [...missing, ...members];
}

function stringProblems(value: string, schema: Schema, at: string): readonly string[] {
  if (outside([...value].length, schema.minLength, schema.maxLength)) return [`${at}: has a wrong length`];
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    return [`${at}: misses the pattern`];
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);
  return schema.format === 'date-time' && !isTime ? [`${at}: is no date-time`] : [];
}

function isType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function outside(value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): boolean {
  return value < min || value > max;
}

function resolve(pointer: string, document: OpenApiDocument): Schema {
  const name = pointer.replace('#/components/schemas/', '');
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`${pointer} leads nowhere`);
  return found;
}
