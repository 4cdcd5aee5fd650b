import { expect, test } from 'bun:test';
import type { JsonObject } from '@flowgate/json/json-object';
import { checkSubmission } from './check-submission.ts';
import type { Field, FieldType } from './field-wire.ts';

type FieldRest = Partial<Omit<Field, 'type'>>;
const actions = [
  { actionId: 'next', label: 'Next' },
  { actionId: 'back', label: 'Back', validate: false },
];
const stepOf = (type: FieldType, rest: FieldRest = {}) => ({
  actions,
  fields: [{ fieldId: 'x', type, label: 'X', ...rest }],
});
/** The problem that is reported for a value of a field, or `ok`. */
const say = (type: FieldType, value: unknown, rest: FieldRest = {}) => {
  const checked = checkSubmission(stepOf(type, rest), 'next', { x: value });
  return checked.ok ? 'ok' : checked.detail;
};
const allSay = (type: FieldType, values: readonly unknown[], expected: string, rest: FieldRest = {}) => {
  for (const value of values) expect(`${JSON.stringify(value)} ${say(type, value, rest)}`).toContain(` ${expected}`);
};

test('an action that the step does not have is refused (contract/sessions#submission)', () => {
  for (const actionId of ['', 'other', 'constructor', '__proto__'])
    expect(checkSubmission(stepOf('text'), actionId, {})).toMatchObject({
      reason: 'bad-request',
      detail: 'actionId is not one of the actions of this step',
    });
});

test('unknown fields are refused, even by an action without validation (contract/sessions#fields)', () => {
  for (const actionId of ['next', 'back'])
    for (const name of ['y', 'constructor', 'toString'])
      expect(checkSubmission(stepOf('text'), actionId, { [name]: null })).toMatchObject({
        detail: `field ${name} is not a field of this step`,
      });
  const polluted: JsonObject = JSON.parse('{"__proto__":{"x":"y"}}');
  expect(checkSubmission(stepOf('text'), 'next', polluted)).toMatchObject({
    detail: 'a field of fieldValues is not a field of this step',
  });
  expect(checkSubmission(stepOf('text'), 'next', { 'bad <name>': 1 })).toMatchObject({
    detail: 'a field of fieldValues is not a field of this step',
  });
});

test('validate: false on an action skips the checks of values (contract/sessions#fields)', () => {
  expect(checkSubmission(stepOf('number', { required: true }), 'back', { x: 'nonsense' })).toEqual({
    ok: true,
    value: { x: 'nonsense' },
  });
  expect(checkSubmission(stepOf('number', { required: true }), 'back', {})).toEqual({ ok: true, value: {} });
});

test('null means that a field is omitted, and a required field must be present (contract/conventions#members, contract/sessions#fields)', () => {
  expect(checkSubmission(stepOf('text'), 'next', { x: null })).toEqual({ ok: true, value: {} });
  expect(checkSubmission(stepOf('text', { required: true }), 'next', {})).toMatchObject({
    detail: 'field x is required',
  });
  allSay('text', [null, ''], 'field x is required', { required: true });
  allSay('multiselect', [[]], 'field x is required', { required: true, options: [{ value: 'a', label: 'A' }] });
  allSay('boolean', [false], 'ok', { required: true });
  allSay('number', [0], 'ok', { required: true });
  allSay('json', ['', [], {}, 0, false], 'ok', { required: true });
  allSay('text', [''], 'ok');
});

test('lengths of text and secret fields are code points with inclusive bounds (contract/sessions#fields)', () => {
  for (const type of ['text', 'secret'] as const) {
    allSay(type, ['abc', '😀😀😀', 'abcde'], 'ok', { min: 3, max: 5 });
    allSay(type, ['ab', '😀😀'], 'field x must have at least 3 characters', { min: 3, max: 5 });
    allSay(type, ['abcdef', '😀'.repeat(6)], 'field x must have at most 5 characters', { min: 3, max: 5 });
    allSay(type, [1, true, {}, ['a']], 'field x must be a string');
    allSay(type, ['\ud800'], 'field x must be well-formed Unicode');
    allSay(type, ['a'.repeat(65_537)], 'field x must have at most 65536 characters');
  }
});

test('a pattern is anchored and takes linear time (contract/sessions#fields)', () => {
  allSay('text', ['abc'], 'ok', { pattern: '[a-z]+' });
  allSay('text', ['abc1', '1abc', 'abc\n', '\nabc', 'ABC'], 'field x must match its pattern', { pattern: '[a-z]+' });
  allSay('text', ['a', 'bc'], 'ok', { pattern: 'a|bc' });
  allSay('text', ['abc'], 'field x must match its pattern', { pattern: 'a|bc' });
  allSay('text', ['a\nb'], 'field x must match its pattern', { pattern: '(?m)^a$' });
  allSay('text', ['a'.repeat(50_000)], 'field x must match its pattern', { pattern: '(a+)+b' });
  allSay('text', ['😀'], 'ok', { pattern: '.' });
});

test('the time for all patterns of a submission is bounded', () => {
  const pattern = '(\\pL*[^\\pN]{900})*b';
  const fields = Array.from({ length: 40 }, (_, n): Field => ({ fieldId: `f${n}`, type: 'text', label: 'L', pattern }));
  const values = Object.fromEntries(fields.map(({ fieldId }) => [fieldId, 'aжb'.repeat(20_000)]));
  expect(checkSubmission({ actions, fields }, 'next', values)).toMatchObject({
    detail: 'field f0 is too long for its pattern',
  });
});

test('the bound allows twenty fields with patterns of two hundred instructions and values of a hundred characters', () => {
  const fields = Array.from(
    { length: 20 },
    (_, n): Field => ({ fieldId: `f${n}`, type: 'text', label: 'L', pattern: '[A-Za-z0-9 .-]{1,100}' }),
  );
  const values = Object.fromEntries(fields.map(({ fieldId }) => [fieldId, 'abcdefghi '.repeat(10)]));
  expect(checkSubmission({ actions, fields }, 'next', values)).toEqual({ ok: true, value: values });
});

test('a number field accepts JSON numbers within its bounds (contract/sessions#fields)', () => {
  allSay('number', [0, -0.5, 1e300], 'ok');
  allSay('number', ['1', true, [1], {}], 'field x must be a number');
  allSay('number', [0.5, 1, 2], 'ok', { min: 0.5, max: 2 });
  allSay('number', [0.49], 'field x must be at least 0.5', { min: 0.5, max: 2 });
  allSay('number', [2.01], 'field x must be at most 2', { min: 0.5, max: 2 });
  expect(say('number', Number.NaN)).toBe('field x must be JSON');
});

test('an amount is a decimal string, compared exactly (contract/sessions#fields)', () => {
  allSay(
    'amount',
    ['0', '0.5', '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
    'ok',
  );
  allSay(
    'amount',
    [1, '-1', '+1', '1e3', '01', '.5', '5.', '', ' 1', '1\n', '0x1', '1,0'],
    'field x must be an amount',
  );
  expect(say('amount', '0.4999999999999999999999999', { min: '0.5' })).toBe('field x must be at least 0.5');
  expect(say('amount', '0.50', { min: '0.5' })).toBe('ok');
  expect(say('amount', '9007199254740993', { max: '9007199254740992' })).toBe(
    'field x must be at most 9007199254740992',
  );
  expect(say('amount', '10', { max: '9' })).toBe('field x must be at most 9');
  expect(say('amount', '0.4', { min: 0.5 })).toBe('field x must be at least 0.5');
});

test('a date field accepts days of the calendar, with inclusive bounds (contract/sessions#fields)', () => {
  allSay('date', ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'], 'ok');
  const none = [
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-1-1',
    '0000-01-01',
    '2024-01-01T00:00:00Z',
    '20240101',
    '',
    '２０２４-01-01',
    '2024-01-01\n',
    20240101,
  ];
  allSay('date', none, 'field x must be a day of the calendar');
  allSay('date', ['2024-01-01', '2024-12-31'], 'ok', { min: '2024-01-01', max: '2024-12-31' });
  expect(say('date', '2023-12-31', { min: '2024-01-01' })).toBe('field x must be at least 2024-01-01');
  expect(say('date', '2025-01-01', { max: '2024-12-31' })).toBe('field x must be at most 2024-12-31');
});

test('select fields accept declared values, each at most once (contract/sessions#fields)', () => {
  const options = ['a', 'b', ''].map((value) => ({ value, label: 'L' }));
  allSay('select', ['a', 'b', ''], 'ok', { options });
  allSay('select', ['c', 'A', 'a ', 1, ['a'], 'constructor'], 'field x must be one of its options', { options });
  allSay('multiselect', [[], ['a'], ['b', 'a']], 'ok', { options });
  allSay('multiselect', ['a', ['c'], [['a']], [1], [null], { a: 1 }], 'field x must be an array of its options', {
    options,
  });
  allSay('multiselect', [['a', 'a']], 'field x must hold each option at most once', { options });
});

test('boolean fields accept JSON booleans (contract/sessions#fields)', () => {
  allSay('boolean', [true, false], 'ok');
  allSay('boolean', ['true', 1, 0, '', []], 'field x must be true or false');
});

test('an address in mixed case must have its checksum (EIP-55; contract/sessions#fields)', () => {
  allSay('address', ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'], 'ok');
  allSay(
    'address',
    ['0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae', 'vitalik.eth', 1, ''],
    'field x must be an address',
  );
});

test('hexadecimal fields accept only the lengths of their type (contract/sessions#fields)', () => {
  const bytes = (count: number) => `0x${'aB'.repeat(count)}`;
  allSay('txHash', [bytes(32)], 'ok');
  allSay(
    'txHash',
    [bytes(31), bytes(33), `${bytes(32)}a`, bytes(32).slice(2), bytes(32).replace('0x', '0X'), 1],
    'field x must be a transaction hash',
  );
  allSay('signature', [bytes(65), bytes(66), bytes(16_384)], 'ok');
  allSay(
    'signature',
    [bytes(64), `${bytes(65)}a`, bytes(16_385), `0x${'zz'.repeat(65)}`, {}],
    'field x must be a signature',
  );
  allSay('signedTransaction', [bytes(1), bytes(110), bytes(262_144)], 'ok');
  allSay(
    'signedTransaction',
    ['0x', bytes(262_145), `${bytes(110)}a`, `${bytes(110)} `, []],
    'field x must be a signed transaction',
  );
});

test('a json field accepts any JSON within the limits of depth and size (contract/sessions#fields)', () => {
  allSay('json', [1, 'x', false, [], { a: { b: [null] } }], 'ok');
  const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(say('json', deep)).toBe('field x must not nest deeper than 32 levels');
  expect(checkSubmission(stepOf('json'), 'back', { x: deep })).toMatchObject({
    detail: 'field x must not nest deeper than 32 levels',
  });
  expect(say('json', { a: 'x'.repeat(262_144) })).toBe('field x must have at most 262144 characters as JSON');
});

test('a message never contains the refused value (contract/flow-apps#secrets)', () => {
  const tries: readonly (readonly [FieldType, unknown, FieldRest])[] = [
    ['secret', 'hunter2', { min: 10 }],
    ['secret', 'hunter2', { max: 3 }],
    ['secret', 'hunter2', { pattern: '\\d+' }],
    ['secret', { hunter2: 1 }, {}],
    ['text', ['hunter2'], {}],
    ['address', 'hunter2', {}],
    ['select', 'hunter2', { options: [{ value: 'a', label: 'A' }] }],
  ];
  for (const [type, value, rest] of tries) {
    expect(say(type, value, rest)).toStartWith('field x ');
    expect(say(type, value, rest)).not.toContain('hunter2');
  }
});

test('a secret with more texts than the echo search supports is refused, even by an action without validation', () => {
  const many = Array.from({ length: 101 }, (_, at) => `x${at}`);
  expect(checkSubmission(stepOf('secret'), 'back', { x: many })).toMatchObject({
    reason: 'bad-request',
    detail: 'field x must not hold more than 100 texts, all secret fields together',
  });
  expect(checkSubmission(stepOf('secret'), 'back', { x: many.slice(1) }).ok).toBe(true);
  expect(checkSubmission(stepOf('json'), 'back', { x: many }).ok).toBe(true);
});
