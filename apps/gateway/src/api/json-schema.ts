/** Generates JSON Schema 2020-12 from zod. Named schemas become components and are referred to by `$ref`. */

import type { BodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

/** The keywords that our schemas use. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | null)[];
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /** `true` on objects that may have members not listed here. Without it, client generators create a type with the listed members only. */
  readonly additionalProperties?: true;
  readonly oneOf?: readonly Schema[];
};

const keywords: Readonly<Record<keyof Schema, true>> = {
  $ref: true,
  type: true,
  description: true,
  const: true,
  enum: true,
  default: true,
  deprecated: true,
  examples: true,
  format: true,
  pattern: true,
  contentMediaType: true,
  contentEncoding: true,
  minLength: true,
  maxLength: true,
  minimum: true,
  maximum: true,
  minItems: true,
  maxItems: true,
  maxProperties: true,
  items: true,
  required: true,
  properties: true,
  additionalProperties: true,
  oneOf: true,
};

/** `input`: the body of a request. `output`: the body of a response. */
export type Direction = 'input' | 'output';

export type Components = {
  /** All described schemas and those that they refer to, by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Adds the schema to `schemas` and returns it. Throws if a different schema has its name. */
  readonly describe: (body: BodySchema, direction: Direction) => Schema;
  /** Like `describe`, but returns a `$ref` to the schema. */
  readonly ref: (body: BodySchema, direction: Direction) => Schema;
};

export function createComponents(): Components {
  const schemas: Record<string, Schema> = {};
  const add = (name: string, schema: Schema): Schema => {
    const present = schemas[name];
    if (present !== undefined && JSON.stringify(present) !== JSON.stringify(schema))
      throw new Error(`two bodies are named ${name}, or one body differs between input and output`);
    schemas[name] = schema;
    return schema;
  };
  const done: Readonly<Record<Direction, Map<BodySchema, Schema>>> = { input: new Map(), output: new Map() };
  const describe = (body: BodySchema, direction: Direction): Schema => {
    const known = done[direction].get(body);
    if (known !== undefined) return known;
    const described = jsonSchemaOf(body.schema(), direction);
    for (const [name, schema] of Object.entries(described.$defs ?? {})) add(name, formed(schema));
    const schema = schemas[body.name] ?? add(body.name, formed(described));
    done[direction].set(body, schema);
    return schema;
  };
  return {
    schemas,
    describe,
    ref(body, direction) {
      describe(body, direction);
      return { $ref: `#/components/schemas/${body.name}` };
    },
  };
}

/** For a schema without a name, such as that of a parameter. */
export function inlineSchema(schema: z.ZodType, direction: Direction = 'input'): Schema {
  return formed(jsonSchemaOf(schema, direction));
}

type Made = z.core.JSONSchema.BaseSchema;

/** Types that only a function checks or creates. Their JSON Schema must be in their metadata. */
const opaque: ReadonlySet<string> = new Set([
  'bigint',
  'custom',
  'date',
  'function',
  'map',
  'nan',
  'set',
  'symbol',
  'transform',
  'undefined',
  'void',
]);

function jsonSchemaOf(schema: z.ZodType, io: Direction): Made {
  const undescribed = new Set<unknown>();
  const described = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // zod leaves examples out where a check changes its input; our examples are inputs.
      const examples = z.globalRegistry.get(zodSchema)?.['examples'];
      if (Array.isArray(examples)) jsonSchema.examples = examples;
      const { def, parent } = zodSchema._zod;
      if (opaque.has(def.type) && jsonSchema.type === undefined) undescribed.add(zodSchema);
      // A schema with metadata is a copy of the one without.
      else undescribed.delete(parent);
    },
  });
  if (undescribed.size > 0) throw new Error('a schema is checked by a function only: describe it in its metadata');
  return described;
}

function formed(made: Made): Schema {
  const schema: Schema = JSON.parse(JSON.stringify(rewritten(made)));
  return schema;
}

/** Writes a nullable type as a list of types, moves references to OpenAPI's components, and allows further members in every object. */
function rewritten(made: Made): Made {
  const { $schema: _, $defs: __, propertyNames: ___, ...schema } = withoutAnyOf(made);
  const { $ref, items, properties, additionalProperties, oneOf } = schema;
  if ($ref !== undefined) schema.$ref = $ref.replace('#/$defs/', '#/components/schemas/');
  if (isSchema(items)) schema.items = rewritten(items);
  if (oneOf !== undefined) schema.oneOf = oneOf.map(rewritten);
  if (properties !== undefined) {
    const members = Object.entries(properties).flatMap(([name, of]) => (isSchema(of) ? [[name, rewritten(of)]] : []));
    if (members.length === 0) delete schema.properties;
    else schema.properties = Object.fromEntries(members);
  }
  if (additionalProperties === false) delete schema.additionalProperties;
  else if (isSchema(additionalProperties) && Object.keys(additionalProperties).length === 0)
    schema.additionalProperties = true;
  // zod's default bounds for integers, the range of exact JSON numbers, say nothing about this schema.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minItems === 0) delete schema.minItems;
  // JavaScript escapes a slash in a pattern; JSON Schema does not.
  if (schema.pattern !== undefined)
    schema.pattern = schema.pattern.replaceAll(/\\(.)/gs, (pair, escaped) => (escaped === '/' ? '/' : pair));
  if (Number.isInteger(schema.const)) schema.type = 'integer';
  const unknown = Object.keys(schema).find((name) => !Object.hasOwn(keywords, name));
  if (unknown !== undefined || isSchema(schema.additionalProperties))
    throw new Error(`${unknown ?? 'a schema for further members'} has no keyword in our document`);
  return schema;
}

/** Replaces `anyOf` by `oneOf`: the alternatives have different types, so at most one matches. */
function withoutAnyOf({ anyOf, ...made }: Made): Made {
  if (anyOf === undefined) return made;
  const [first, second] = anyOf;
  const types = new Set(anyOf.map(({ type }) => type));
  if (types.has(undefined) || types.size < anyOf.length)
    throw new Error('alternatives need different types: write z.xor or z.discriminatedUnion');
  if (first?.type === undefined || second?.type !== 'null' || anyOf.length > 2) return { ...made, oneOf: anyOf };
  return {
    ...first,
    ...made,
    type: [...[first.type].flat(), 'null'],
    ...(first.enum === undefined ? {} : { enum: [...first.enum, null] }),
  };
}

function isSchema(schema: z.core.JSONSchema._JSONSchema | z.core.JSONSchema._JSONSchema[] | undefined): schema is Made {
  return typeof schema === 'object' && !Array.isArray(schema);
}
