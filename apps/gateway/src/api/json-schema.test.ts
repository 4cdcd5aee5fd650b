import { expect, test } from 'bun:test';
import { listOf, optional, plainText } from '@flowgate/body-schema/body-members';
import { bodySchema, pageSchema, textSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { createComponents, inlineSchema } from './json-schema.ts';

const part = bodySchema('Part', 'A part.', () => z.object({ id: z.string() }), { id: 'a' });

test('a body and each named schema that it refers to become components', () => {
  const whole = bodySchema('Whole', 'All of it.', () => z.object({ parts: z.array(part.schema()) }), { parts: [] });
  const components = createComponents();
  expect(components.ref(whole, 'output')).toEqual({ $ref: '#/components/schemas/Whole' });
  expect(components.schemas).toEqual({
    Whole: {
      type: 'object',
      description: 'All of it.',
      required: ['parts'],
      properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } },
      examples: [{ parts: [] }],
    },
    Part: {
      type: 'object',
      description: 'A part.',
      required: ['id'],
      properties: { id: { type: 'string' } },
      examples: [{ id: 'a' }],
    },
  });
});

test('creating the document fails if two schemas share a name, or if a schema differs between input and output', () => {
  const other = bodySchema('Part', 'Another part.', () => z.object({ id: z.string() }));
  const components = createComponents();
  components.ref(part, 'output');
  expect(() => components.ref(other, 'output')).toThrow('Part');
  const changed = bodySchema('Changed', 'Read as a number.', () => z.object({ n: z.string().pipe(z.coerce.number()) }));
  components.ref(changed, 'input');
  expect(() => components.ref(changed, 'output')).toThrow('Changed');
});

test('a nullable member gets null as a further type, and as a further value of an enumeration', () => {
  expect(inlineSchema(optional(z.string().max(9)).describe('A text.'))).toEqual({
    type: ['string', 'null'],
    maxLength: 9,
    description: 'A text.',
  });
  expect(inlineSchema(optional(z.enum(['a', 'b'])))).toEqual({ type: ['string', 'null'], enum: ['a', 'b', null] });
});

test('a list is described with bounds and entries, and examples remain on a schema that transforms its input', () => {
  const list = bodySchema(
    'List',
    'With an optional list.',
    () => z.object({ of: optional(listOf(z.enum(['rpc']), { min: 1, max: 10 })) }),
    { of: ['rpc'] },
  );
  expect(createComponents().describe(list, 'input')).toMatchObject({
    properties: { of: { type: ['array', 'null'], minItems: 1, maxItems: 10, items: { enum: ['rpc'] } } },
    examples: [{ of: ['rpc'] }],
  });
});

test('lengths of strings are code points, as in JSON Schema', () => {
  const text = plainText(2);
  const { minLength, maxLength, pattern } = inlineSchema(text);
  expect({ minLength, maxLength }).toEqual({ minLength: 1, maxLength: 2 });
  const described = (value: string) =>
    [...value].length <= 2 && value !== '' && new RegExp(pattern ?? '', 'u').test(value);
  for (const value of ['', 'a', 'ab', 'abc', '🔑🔑', '🔑🔑🔑', 'a\n', '\u0085', 'é', '\u202e', '\u200d'])
    expect([value, text.safeParse(value).success]).toEqual([value, described(value)]);
});

test('alternatives of different types become oneOf; alternatives of the same type need a discriminator', () => {
  expect(inlineSchema(z.union([z.array(z.string()), z.object({ a: z.string() })]))).toMatchObject({
    oneOf: [{ type: 'array' }, { type: 'object' }],
  });
  expect(() => inlineSchema(z.union([z.string().max(1), z.string().min(9)]))).toThrow('different types');
});

test('creating the document fails on a schema that JSON Schema cannot express', () => {
  expect(() => inlineSchema(z.record(z.string(), z.number()))).toThrow('schema for further members');
  expect(() => inlineSchema(z.int().multipleOf(5))).toThrow('multipleOf');
});

test('default integer bounds are left out, and objects may have further members', () => {
  expect(inlineSchema(z.int().min(1))).toEqual({ type: 'integer', minimum: 1 });
  expect(inlineSchema(z.object({ a: z.int() }), 'output')).toEqual({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'integer' } },
  });
  expect(inlineSchema(z.looseObject({}))).toEqual({ type: 'object', additionalProperties: true });
});

test('a slash in a pattern is not escaped', () => {
  const pattern = (of: RegExp) => inlineSchema(z.string().regex(of)).pattern;
  expect(pattern(/^[a-z]+\/[a-z]+$/)).toBe('^[a-z]+/[a-z]+$');
  expect(pattern(/^a\\\/b\.$/)).toBe('^a\\\\/b\\.$');
});

test('a page describes its entries and has their example; a text body has its content type', () => {
  const components = createComponents();
  expect(components.describe(pageSchema('PartPage', 'Parts.', part), 'output')).toMatchObject({
    required: ['data'],
    properties: { data: { items: { $ref: '#/components/schemas/Part' } } },
    examples: [{ data: [{ id: 'a' }] }],
  });
  const { contentMediaType } = components.describe(textSchema('Page', 'A page.', 'text/html'), 'output');
  expect(contentMediaType).toBe('text/html');
});

test('a schema is created once, at its first use', () => {
  let made = 0;
  const late = bodySchema('Late', 'Made late.', () => {
    made += 1;
    return z.object({});
  });
  expect(made).toBe(0);
  late.schema();
  late.schema();
  expect(made).toBe(1);
});
