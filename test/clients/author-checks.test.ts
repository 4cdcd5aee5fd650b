/** The author's kit and the gateway accept the same responses of an app (contract/flow-apps#answers). */

import { expect, test } from 'bun:test';
import { checkAnswer } from '@flowgate/client/flow-app';
import { parseRenderResponse } from '@flowgate/flow-format/app-responses/parse-render-response';

const declared = { stepIds: ['one', 'two'], eventTypes: ['reported'] };

const offer = { scheme: 'exact', network: 'eip155:1', asset: '0xa', amount: '1', payTo: '0xb' };
const fields = [
  {
    fieldId: 'a',
    type: 'text',
    label: 'A',
    required: true,
    pattern: '[a-z]+',
    min: 1,
    max: 9,
    help: 'Help',
    value: 'x',
  },
  { fieldId: 'b', type: 'number', label: 'B', min: -1.5, max: 2 },
  { fieldId: 'c', type: 'amount', label: 'C', min: '0.5', max: '10' },
  { fieldId: 'd', type: 'date', label: 'D', min: '2026-01-01', max: '2026-12-31' },
  {
    fieldId: 'e',
    type: 'select',
    label: 'E',
    options: [
      { value: 'v', label: 'V' },
      { value: 'w', label: 'W' },
    ],
  },
  { fieldId: 'f', type: 'json', label: 'F' },
];
const whole = {
  step: {
    ...{
      stepId: 'one',
      title: 'One',
      description: 'Text',
      options: {},
      transaction: {},
      channels: {},
      terminal: false,
    },
    fields,
    actions: [
      { actionId: 'go', label: 'Go', validate: false },
      { actionId: 'stay', label: 'Stay' },
    ],
    payment: { accepts: [offer] },
  },
  state: { n: 1 },
  appData: { set: { stored: [1] }, delete: ['gone'] },
  events: [{ type: 'reported', data: {} }],
  status: 'active',
};
const refusing = { step: {}, errors: [{ fieldId: 'a', message: 'no' }] };

/** Mistakes that an author may make at any place. */
const mistakes: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    '',
    'x',
    'one',
    'two',
    'a',
    '__proto__',
    'a b',
    'reported',
    'active',
    'failed',
    'completed',
  ],
  ...[
    '2026-02-30',
    '0000-01-01',
    '01',
    '1.',
    '-1',
    '20',
    '0.4',
    '[',
    '(',
    'a)',
    '(?=a)',
    '(a)\\1',
    '[^]]',
    '(?i)a',
    '[[:alpha:]]+',
    '\\',
    '\\pL',
  ],
  ...[
    'text',
    'select',
    'number',
    'date',
    'secret',
    'wallet',
    '\ud800',
    'x'.repeat(129),
    'x'.repeat(501),
    'x'.repeat(20_001),
  ],
  ...[
    [],
    [1],
    ['x'],
    [{}],
    [[]],
    {},
    { accepts: [] },
    { '\u0000': 1 },
    { '': 1 },
    fields,
    Array.from({ length: 101 }, () => ({})),
  ],
];

/** Every place of a value, as the path of names to it. */
function places(value: unknown, way: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [way];
  return [way, ...Object.entries(value).flatMap(([name, member]) => places(member, [...way, name]))];
}

const removed = Symbol('removed');

function changed(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  const copy: unknown = Array.isArray(value) ? [...value] : Object.assign({}, value);
  if (typeof copy !== 'object' || copy === null) return copy;
  if (rest.length === 0 && to === removed) Reflect.deleteProperty(copy, name);
  else Reflect.set(copy, name, changed(Reflect.get(copy, name), rest, to));
  return Array.isArray(copy) ? Object.values(copy) : copy;
}

/**
 * Permitted differences, and their direction: the kit has no RE2 and checks an offer only roughly, so the gateway
 * decides about these.
 */
function isGatewaysOwn(way: readonly string[]): boolean {
  const last = way.join('/');
  return last.endsWith('/pattern') || last.startsWith('step/payment/');
}

test('kit and gateway classify a response with any single mistake equally', () => {
  const differences: unknown[] = [];
  let [asked, refused] = [0, 0];
  for (const base of [whole, refusing]) {
    for (const way of places(base)) {
      for (const to of [removed, ...mistakes]) {
        const answer = changed(base, way, to);
        if (answer === undefined || answer === removed) continue;
        const text = JSON.stringify(answer);
        const evaluated = parseRenderResponse(JSON.parse(text), declared);
        // The gateway drops and logs an undeclared event; the kit reports it at once.
        const isTaken =
          evaluated.kind === 'rejected' || (evaluated.kind === 'step' && evaluated.undeclared.length === 0);
        const checked = checkAnswer(answer, declared);
        asked += 1;
        if (!isTaken) refused += 1;
        const differs = isGatewaysOwn(way) ? isTaken && !checked.ok : isTaken !== checked.ok;
        if (differs)
          differences.push({
            way: way.join('/'),
            to: typeof to === 'symbol' ? 'removed' : JSON.stringify(to).slice(0, 60),
            evaluated: evaluated.kind,
            checked: checked.ok ? 'ok' : checked.problems,
          });
      }
    }
  }
  expect(differences).toEqual([]);
  expect(asked).toBeGreaterThan(3_000);
  expect(refused).toBeGreaterThan(2_000);
});

test('the kit reports patterns that RE2 does not support', () => {
  const evaluated = (pattern: string) => {
    const step = {
      stepId: 'one',
      title: 'One',
      fields: [{ fieldId: 'a', type: 'text', label: 'A', pattern }],
      actions: [{ actionId: 'go', label: 'Go' }],
    };
    return [parseRenderResponse({ step }, declared).kind === 'step', checkAnswer({ step }, declared).ok];
  };
  const good = [
    '[a-z]+',
    '(?i)abc',
    '[[:alpha:]]+',
    '[]a]',
    '[^]a]',
    '\\(',
    '(?P<n>a)',
    '\\pL+',
    '',
    'a|b',
    '[(]',
    '\\Q(\\E',
  ];
  for (const pattern of good) expect([pattern, ...evaluated(pattern)]).toEqual([pattern, true, true]);
  const bad = ['(', 'a)', '[a', '(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?P<n>a)\\k<n>', '\\'];
  for (const pattern of bad) expect([pattern, ...evaluated(pattern)]).toEqual([pattern, false, false]);
});

test('kit and gateway have the same limits of sizes and numbers: the maximum passes, one more does not', () => {
  const step = { stepId: 'one', title: 'One', fields: [], actions: [{ actionId: 'go', label: 'Go' }] };
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  const options = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `${at}`, label: 'x' }));
  const select = (count: number) => ({
    step: { ...step, fields: [{ fieldId: 'a', type: 'select', label: 'A', options: options(count) }] },
  });
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [
      { step, state: { deep: nested(30) } },
      { step, state: { deep: nested(31) } },
    ],
    [
      { step, state: { many: Array(24_985).fill(0) } },
      { step, state: { many: Array(25_000).fill(0) } },
    ],
    [
      { step: { ...step, options: { text: 'x'.repeat(262_000) } } },
      { step: { ...step, options: { text: 'x'.repeat(262_144) } } },
    ],
    [select(1_000), select(1_001)],
    [{ step: { ...step, title: 'x'.repeat(500) } }, { step: { ...step, title: 'x'.repeat(501) } }],
    [
      { step, events: Array(100).fill({ type: 'reported', data: {} }) },
      { step, events: Array(101).fill({ type: 'reported', data: {} }) },
    ],
    [
      { step, appData: { set: { ['x'.repeat(256)]: 1 } } },
      { step, appData: { set: { ['x'.repeat(257)]: 1 } } },
    ],
  ];
  for (const [fits, exceeds] of pairs) {
    expect([parseRenderResponse(fits, declared).kind, checkAnswer(fits, declared).ok]).toEqual(['step', true]);
    expect([parseRenderResponse(exceeds, declared).kind, checkAnswer(exceeds, declared).ok]).toEqual([
      'invalid',
      false,
    ]);
  }
});
