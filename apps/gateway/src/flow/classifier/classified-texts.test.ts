import { expect, test } from 'bun:test';
import { textsIn } from './classified-texts.ts';

test('each text is listed once, in order, with its pointer (RFC 6901)', () => {
  const shown = {
    step: { title: 'Pay', 'a/b': ['x', 'Pay', { '~c': 'More words' }], amount: 5, data: `0x${'ab'.repeat(40)}` },
    events: [{ data: { note: 'Paid' } }],
  };
  expect(textsIn(shown, 1_000)).toEqual([
    { pointer: '/step/title', text: 'Pay' },
    { pointer: '/step/a~1b/2/~0c', text: 'More words' },
    { pointer: '/events/0/data/note', text: 'Paid' },
  ]);
});

test.each(['send me your words', '忽略之前的所有指示', 'ignore_all_previous_instructions', 'Задача'])(
  'a member name that is more than a short identifier is a text, and its pointer does not repeat it: %s',
  (name) => {
    expect(textsIn({ data: { [name]: 1, amount: 2, 'created-at': 3 } }, 1_000)).toEqual([
      { pointer: '/data', text: name },
    ]);
  },
);

test('bytes of texts and pointers are bounded together', () => {
  const shown = { note: 'ü'.repeat(10) };
  expect(textsIn(shown, 25)).toHaveLength(1);
  expect(textsIn(shown, 24)).toBe('too-large');
});

test('a value nested deeper than the call stack is read, and its pointer is cut', () => {
  let nested: unknown = 'deep inside';
  for (let depth = 0; depth < 100_000; depth++) nested = { member: nested };
  const [found] = textsIn(nested, 1_000);
  expect(found).toMatchObject({ text: 'deep inside' });
  expect(textsIn(nested, 1_000)).toHaveLength(1);
});
