import { expect, test } from 'bun:test';
import { z } from 'zod';
import { listOf, mustBe, optional, plainText } from './body-members.ts';
import { checkedBody } from './checked-body.ts';

const schema = z.object({
  name: plainText(3),
  kinds: optional(listOf(z.enum(['a', 'b'], { error: 'may hold "a" and "b" only' }), { min: 1, max: 3 })),
  parts: optional(listOf(z.object({ id: z.string(mustBe('a string')) }, mustBe('an object')), { min: 0, max: 2 })),
});

function detailOf(body: unknown): string | undefined {
  const checked = checkedBody(schema, body);
  return checked.ok ? 'taken' : checked.detail;
}

test('every wrong member is named, with its place (contract/conventions#members)', () => {
  expect(detailOf({})).toBe('name is required');
  expect(detailOf({ name: 7, kinds: 'a', parts: [{ id: 1 }, 2] })).toBe(
    'name must be a string; kinds must be an array; parts[0].id must be a string; parts[1] must be an object',
  );
  expect(detailOf([])).toBe('the body must be a JSON object');
});

test('null counts as absent, and unknown members are ignored (contract/conventions#members)', () => {
  expect(detailOf({ name: 'x', kinds: null, parts: null, owner: 'mallory' })).toBe('taken');
  expect(detailOf({ name: null })).toBe('name is required');
});

test('the allowed values of a list are reported once, for any number of wrong entries', () => {
  expect(detailOf({ name: 'x', kinds: ['a', 'c', 'd'] })).toBe('kinds may hold "a" and "b" only');
});

test('for a value of a wrong type only its type is reported, and not its length', () => {
  const text = z.object({ id: z.string(mustBe('a string')).min(2, { error: 'must have 2 to 9 characters' }).max(9) });
  const detail = (id: unknown) => {
    const checked = checkedBody(text, { id });
    return checked.ok ? 'taken' : checked.detail;
  };
  expect(detail([])).toBe('id must be a string');
  expect(detail(Array(20).fill('x'))).toBe('id must be a string');
  expect(detail('x')).toBe('id must have 2 to 9 characters');
});

test('a list that is too long is counted, and its entries are not checked', () => {
  let looked = 0;
  const entry = z.unknown().refine(() => {
    looked += 1;
    return false;
  });
  const checked = checkedBody(z.object({ list: listOf(entry, { min: 0, max: 2 }) }), { list: Array(100_000).fill(0) });
  expect(checked).toMatchObject({ ok: false, detail: 'list must have 0 to 2 entries' });
  expect(looked).toBe(0);
});

test('a member of a prototype does not count as a member of the body', () => {
  expect(detailOf(Object.create({ name: 'x' }))).toBe('name is required');
});
