import { expect, test } from 'bun:test';
import { listOf, optional, plainText } from '@flowgate/body-schema/body-members';
import { bodySchema, pageSchema, textSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { createComponents, inlineSchema } from './json-schema.ts';

const part = bodySchema('Part', 'A part.', () => z.object({ id: z.string() }), { id: 'a' });

test('a body is a component, and so is each named one that it refers to', () => {
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

test('a name stands for one schema: another one under it, or one that differs by direction, is found when the document is made', () => {
  const other = bodySchema('Part', 'Another part.', () => z.object({ id: z.string() }));
  const components = createComponents();
  components.ref(part, 'output');
  expect(() => components.ref(other, 'output')).toThrow('Part');
  const changed = bodySchema('Changed', 'Read as a number.', () => z.object({ n: z.string().pipe(z.coerce.number()) }));
  components.ref(changed, 'input');
  expect(() => components.ref(changed, 'output')).toThrow('Changed');
});

test('null for an optional member is one more type, and one more value of an enumeration', () => {
  expect(inlineSchema(optional(z.string().max(9)).describe('A text.'))).toEqual({
    type: ['string', 'null'],
    maxLength: 9,
    description: 'A text.',
  });
  expect(inlineSchema(optional(z.enum(['a', 'b'])))).toEqual({ type: ['string', 'null'], enum: ['a', 'b', null] });
});

test('a list has its bounds and its entries in the document, and examples stay where a check changes what it is given', () => {
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

test('the length of a text is told in code points, as JSON Schema counts them', () => {
  const text = plainText(2);
  const { minLength, maxLength, pattern } = inlineSchema(text);
  expect({ minLength, maxLength }).toEqual({ minLength: 1, maxLength: 2 });
  const described = (value: string) =>
    [...value].length <= 2 && value !== '' && new RegExp(pattern ?? '', 'u').test(value);
  for (const value of ['', 'a', 'ab', 'abc', '🔑🔑', '🔑🔑🔑', 'a\n', '\u0085', 'é', '\u202e', '\u200d'])
    expect([value, text.safeParse(value).success]).toEqual([value, described(value)]);
});

test('alternatives of different types exclude one another; others have to say how they are told apart', () => {
  expect(inlineSchema(z.union([z.array(z.string()), z.object({ a: z.string() })]))).toMatchObject({
    oneOf: [{ type: 'array' }, { type: 'object' }],
  });
  expect(() => inlineSchema(z.union([z.string().max(1), z.string().min(9)]))).toThrow('different types');
});

test('what the document has no word for is found when it is made, not left out', () => {
  expect(() => inlineSchema(z.record(z.string(), z.number()))).toThrow('further members');
  expect(() => inlineSchema(z.int().multipleOf(5))).toThrow('multipleOf');
});

test('bounds of every integer are none of this one, and an object may get further members', () => {
  expect(inlineSchema(z.int().min(1))).toEqual({ type: 'integer', minimum: 1 });
  expect(inlineSchema(z.object({ a: z.int() }), 'output')).toEqual({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'integer' } },
  });
  expect(inlineSchema(z.looseObject({}))).toEqual({ type: 'object', additionalProperties: true });
});

test('a slash in a pattern is a slash: only JavaScript escapes it', () => {
  const pattern = (of: RegExp) => inlineSchema(z.string().regex(of)).pattern;
  expect(pattern(/^[a-z]+\/[a-z]+$/)).toBe('^[a-z]+/[a-z]+$');
  expect(pattern(/^a\\\/b\.$/)).toBe('^a\\\\/b\\.$');
});

test('a page holds entries of its list, and has their example; a text has its type of content', () => {
  const components = createComponents();
  expect(components.describe(pageSchema('PartPage', 'Parts.', part), 'output')).toMatchObject({
    required: ['data'],
    properties: { data: { items: { $ref: '#/components/schemas/Part' } } },
    examples: [{ data: [{ id: 'a' }] }],
  });
  const { contentMediaType } = components.describe(textSchema('Page', 'A page.', 'text/html'), 'output');
  expect(contentMediaType).toBe('text/html');
});

test('a schema is made once, when it is first asked for', () => {
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
