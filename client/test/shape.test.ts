/** The members that a response must have to get its type (docs/decisions/0056). */

import { expect, test } from 'bun:test';
import { session, usageReport } from '../src/generated/shapes.ts';
import { hasShape, type Shape } from '../src/shape.ts';

type Example = { id: string; count?: number; tags: readonly string[]; place: { isHome: boolean }; data: unknown };

const shape: Shape<Example> = { id: 's', 'count?': 'n', tags: ['s'], place: { isHome: 'b' }, data: '*' };
const example = { id: 'a', tags: [], place: { isHome: true }, data: null };

test('members of their types fit, optional ones may be missing, and unknown ones are allowed', () => {
  expect(hasShape(example, shape)).toBe(true);
  expect(hasShape({ ...example, count: 1, tags: ['x'], place: { isHome: false, more: 1 }, more: [] }, shape)).toBe(
    true,
  );
});

test.each<[string, unknown]>([
  ['a list in place of an object', [example]],
  ['null', null],
  ['a missing member', { ...example, id: undefined }],
  ['a missing member of any value', { ...example, data: undefined }],
  ['a member of another kind', { ...example, id: 1 }],
  ['an optional member of another kind', { ...example, count: '1' }],
  ['an optional member that is null', { ...example, count: null }],
  ['an object in place of a list', { ...example, tags: {} }],
  ['a list with one wrong entry', { ...example, tags: ['x', 2] }],
  ['a wrong member inside', { ...example, place: { isHome: 'yes' } }],
])('%s does not fit', (_, value) => {
  expect(hasShape(value, shape)).toBe(false);
});

test('the shape of a response includes the shapes that it refers to', () => {
  const row = { at: '2026-11-21T10:00:00.000Z', requests: 1, failed: 0, limited: 0, cached: 0 };
  expect(hasShape({ data: [row] }, usageReport)).toBe(true);
  expect(hasShape({ data: [{ ...row, cached: '0' }] }, usageReport)).toBe(false);
  expect(session['currentStep']).toMatchObject({ stepId: 's', fields: [{ fieldId: 's', 'required?': 'b' }] });
});
