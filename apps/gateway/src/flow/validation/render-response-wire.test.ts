import { expect, test } from 'bun:test';
import { parseRenderResponse } from '@flowgate/flow-format/app-responses/parse-render-response';
import { renderResponse } from '@flowgate/flow-format/app-responses/render-response-wire';
import { isJsonObject } from '@flowgate/json/json-object';
import fc from 'fast-check';
import { schemaCheck } from '../../../test/fixtures/schema-problems.ts';
import { createComponents, type Schema } from '../../api/json-schema.ts';

const components = createComponents();
const root = components.ref(renderResponse, 'input');
const lenient = schemaCheck({ components }, 'lenient');
const strict = schemaCheck({ components }, 'strict');

const manifest = { stepIds: ['pay'], eventTypes: ['paid'] };
const read = (raw: unknown) => parseRenderResponse(raw, manifest);

/** Has every member of the schema except `errors`, which is read alone, and `warnings`, which an app cannot set. */
const whole = {
  step: {
    stepId: 'pay',
    title: 'Pay',
    description: 'An invoice.',
    fields: [
      { fieldId: 'kind', type: 'text', label: 'Kind' },
      {
        fieldId: 'note',
        type: 'text',
        label: 'Note',
        required: true,
        value: 'x',
        options: [{ value: 'a', label: 'A' }],
        pattern: '[a-z]+',
        min: 1,
        max: 9,
        help: 'Any text.',
        visibleWhen: { fieldId: 'kind', equals: 'long' },
      },
    ],
    actions: [{ actionId: 'next', label: 'Next', validate: true }],
    options: { a: 1 },
    payment: { accepts: [offer()] },
    transaction: { to: '0x00' },
    terminal: false,
    channels: { sms: true },
  },
  state: { n: 1 },
  appData: { set: { seen: 1 }, delete: ['old'] },
  events: [{ type: 'paid', data: { n: 1 } }],
  status: 'active',
};
const rejection = { errors: [{ fieldId: 'note', message: 'No.' }] };

function offer() {
  return { scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: '0x00', payTo: '0x01' };
}

type Pointer = readonly (string | number)[];

const textOf = (at: Pointer) => at.map((part) => `/${part}`).join('');

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(schema.$ref);
  return found;
}

/** Yields every subschema with the place that it describes. */
function* placesIn(schema: Schema, at: Pointer = []): Generator<{ readonly at: Pointer; readonly schema: Schema }> {
  const own = resolved(schema);
  yield { at, schema: own };
  for (const [name, member] of Object.entries(own.properties ?? {})) yield* placesIn(member, [...at, name]);
  if (own.items !== undefined) {
    // Of fields the second one, which has a condition on the first.
    yield* placesIn(own.items, [...at, at.at(-1) === 'fields' ? 1 : 0]);
  }
}

const isOf = (place: { readonly at: Pointer }, name: string) => textOf(place.at).startsWith(`/${name}`);
const places = [...placesIn(root)].filter((place) => !isOf(place, 'step/warnings'));
const exampleFor = (place: { readonly at: Pointer }) => (isOf(place, 'errors') ? rejection : whole);

function valueAt(value: unknown, at: Pointer): unknown {
  return at.reduce((found, part) => (found as Record<string | number, unknown> | undefined)?.[part], value);
}

/** Returns a copy with another value at the place; `undefined` removes the member. */
function changed(value: unknown, at: Pointer, next: unknown): unknown {
  const [first, ...rest] = at;
  if (first === undefined) return next;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  const member = changed(copy[first], rest, next);
  if (member !== undefined) copy[first] = member;
  else if (Array.isArray(copy)) copy.splice(Number(first), 1);
  else delete copy[first];
  return copy;
}

test('the examples have every member of the schema', () => {
  expect(places.length).toBeGreaterThan(40);
  expect(places.filter((place) => valueAt(exampleFor(place), place.at) === undefined)).toEqual([]);
  expect([read(whole).kind, lenient(whole, root)]).toEqual(['step', []]);
  expect(read(rejection).kind).toBe('rejected');
});

/** Values just outside of what the schema allows, one for each keyword. */
function beyond(schema: Schema, example: unknown): readonly unknown[] {
  const types = [schema.type ?? []].flat();
  const ofOtherTypes = types.length === 0 ? [] : [7, 'x', true, {}, []].filter((value) => !fits(value, types));
  const texts = [
    ...(schema.minLength === undefined ? [] : ['x'.repeat(schema.minLength - 1)]),
    ...(schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]),
    ...(schema.pattern === undefined ? [] : ['a\u0007b']),
    ...(schema.enum === undefined ? [] : ['nonsense']),
  ];
  const lists =
    schema.maxItems === undefined || !Array.isArray(example) ? [] : [Array(schema.maxItems + 1).fill(example[0])];
  const objects =
    schema.maxProperties === undefined
      ? []
      : [Object.fromEntries(numbers(schema.maxProperties + 1).map((n) => [n, 1]))];
  return [...ofOtherTypes, ...texts, ...lists, ...objects];
}

const numbers = (count: number) => Array.from({ length: count }, (_, nth) => nth);

function fits(value: unknown, types: readonly string[]): boolean {
  const type = Array.isArray(value) ? 'array' : typeof value;
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

test('the reader refuses a value outside of a bound of the schema, at its place', () => {
  const reported: string[] = [];
  for (const place of places) {
    for (const value of beyond(place.schema, valueAt(exampleFor(place), place.at))) {
      const raw = changed(exampleFor(place), place.at, value);
      const checked = read(raw);
      expect([textOf(place.at), lenient(raw, root).length > 0, checked.kind]).toEqual([
        textOf(place.at),
        true,
        'invalid',
      ]);
      if (checked.kind === 'invalid') reported.push(checked.detail);
      if (checked.kind === 'invalid' && place.at.length > 0) expect(checked.detail).toContain(`: ${textOf(place.at)} `);
    }
    for (const name of place.schema.required ?? []) {
      const at = [...place.at, name];
      const checked = read(changed(exampleFor(place), at, undefined));
      expect([textOf(at), checked.kind === 'invalid' && checked.detail]).toEqual([
        textOf(at),
        `The Flow App's answer is invalid: ${textOf(at)} is required.`,
      ]);
    }
  }
  expect(reported.length).toBeGreaterThan(150);
});

test('the reader accepts a value at a bound of the schema', () => {
  // Distinct entries for each list.
  const entries: Readonly<Record<string, (nth: number) => unknown>> = {
    '/step/fields': (nth) => ({ fieldId: `f${nth}`, type: 'text', label: 'L' }),
    '/step/fields/1/options': (nth) => ({ value: `${nth}`, label: 'L' }),
    '/step/actions': (nth) => ({ actionId: `a${nth}`, label: 'L' }),
    '/appData/delete': (nth) => `n${nth}`,
    '/events': () => ({ type: 'paid', data: {} }),
    '/errors': () => ({ message: 'No.' }),
  };
  let tried = 0;
  for (const place of places) {
    const { maxLength, minLength = 0, maxItems, maxProperties } = place.schema;
    const within = [
      ...(maxLength === undefined ? [] : ['x'.repeat(maxLength), 'x'.repeat(minLength)]),
      ...(maxItems === undefined ? [] : [numbers(maxItems).map((nth) => entries[textOf(place.at)]?.(nth))]),
      ...(maxProperties === undefined ? [] : [Object.fromEntries(numbers(maxProperties).map((n) => [n, 1]))]),
    ];
    for (const value of within) {
      const raw = changed(exampleFor(place), place.at, value);
      // A pattern of the maximum length compiles to a program that is too large.
      if (textOf(place.at) === '/step/fields/1/pattern' && value !== '') continue;
      expect([textOf(place.at), lenient(raw, root).filter((each) => !each.includes('"step"')), read(raw)]).toEqual([
        textOf(place.at),
        [],
        expect.objectContaining({ kind: isOf(place, 'errors') ? 'rejected' : 'step' }),
      ]);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(20);
});

test('the reader counts UTF-16 units, the schema code points: a text of emojis may be too long for the reader only', () => {
  const raw = changed(whole, ['step', 'title'], '🔑'.repeat(300));
  expect([read(raw).kind, lenient(raw, root)]).toEqual(['invalid', []]);
});

/** Rules that the reader enforces and a schema cannot express: about several members, about the declarations of a version, and about the cost of reading and storing. */
const beyondSchemas =
  /is not a step that the version declares|must have each \w+ once only|is for text and secret fields only|must be an RE2 pattern|is not for fields of this type|must be a (number|decimal string|date)\b|must not be below min|must have at least one entry|options is required|must be \{ accepts|must name an earlier field|__proto__|must not nest|must not hold more|well-formed Unicode|bytes of JSON|patterns that are so large/;

/** `null` means left out. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNull(member)]])),
  );
}

const values: readonly unknown[] = [
  ...[
    null,
    undefined,
    0,
    1,
    -1,
    1.5,
    1e300,
    true,
    false,
    '',
    ' ',
    'x',
    'pay',
    'note',
    '__proto__',
    '\u0000',
    '🔑',
    '\ud800',
  ],
  ...['x'.repeat(129), 'text', 'select', 'secret', 'amount', 'date', 'active', 'failed', '0.5', '2024-02-29'],
  ...[
    [],
    {},
    [null],
    [[]],
    [{}],
    ['x', 'x'],
    { x: null },
    { accepts: [] },
    { value: 'a', label: 'A' },
    { message: 'm' },
  ],
];

const mutation = fc.record({
  at: fc.constantFrom(...places.map(({ at }) => at)),
  value: fc.oneof(fc.constantFrom(...values), fc.jsonValue({ maxDepth: 2 })),
});

/** Whether a member at `at` can be set in its parent. JSON has no list with gaps, so an entry is at most the next one. */
function hasPlace(parent: unknown, at: readonly (string | number)[]): boolean {
  return Array.isArray(parent) ? Number(at.at(-1)) <= parent.length : parent instanceof Object;
}

test('reader and schema agree on responses with random changes', () => {
  const outcomes = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(whole, rejection),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      (example, changes) => {
        const raw = changes.reduce<unknown>(
          (value, { at, value: next }) =>
            hasPlace(valueAt(value, at.slice(0, -1)), at) ? changed(value, at, next) : value,
          example,
        );
        const checked = read(raw);
        fc.pre(raw !== undefined);
        const clean = withoutNull(raw);
        // When `errors` is present, the reader reads no other member.
        const problems = lenient(clean, root).filter(
          (each) => checked.kind !== 'rejected' || each.startsWith('/errors'),
        );
        outcomes[checked.kind === 'invalid' ? 'refused' : 'taken'] += 1;
        if (checked.kind !== 'invalid') expect(problems).toEqual([]);
        else if (!beyondSchemas.test(checked.detail))
          expect([checked.detail, problems.length > 0]).toEqual([checked.detail, true]);
        if (checked.kind === 'step') expect(strict(checked.response.step, componentOf('StepSpec'))).toEqual([]);
      },
    ),
    { numRuns: 1_500 },
  );
  expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(150);
});

function componentOf(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
