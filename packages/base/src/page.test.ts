import { expect, test } from 'bun:test';
import { decodeCursor, encodeCursor, pageOf, parsePage } from './page.ts';

const rules = { defaultLimit: 20, isId: (id: string) => /^[a-z]{1,9}$/.test(id) };
const page = (query: string) => parsePage(new URLSearchParams(query), rules);

test('without parameters a page starts at the newest item and has the default length (contract/conventions#lists)', () => {
  expect(page('')).toEqual({ ok: true, value: { limit: 20 } });
  expect(page('other=1')).toEqual({ ok: true, value: { limit: 20 } });
});

for (const limit of ['1', '7', '100'])
  test(`limit ${limit} is taken`, () => {
    expect(page(`limit=${limit}`)).toEqual({ ok: true, value: { limit: Number(limit) } });
  });

for (const limit of ['', '0', '101', '-1', '1.5', '1e1', '0x10', '01', '+1', ' 1', 'ten', '99999999999'])
  test(`limit ${JSON.stringify(limit)} is a bad request that names it (contract/conventions#lists)`, () => {
    expect(page(`limit=${encodeURIComponent(limit)}`)).toEqual({
      ok: false,
      reason: 'bad-request',
      detail: 'limit must be a whole number from 1 to 100',
    });
  });

test('a cursor leads back to its position', () => {
  const position = { atMs: 1_700_000_000_123, id: 'abc' };
  const cursor = encodeCursor(position);
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(page(`cursor=${cursor}&limit=5`)).toEqual({ ok: true, value: { limit: 5, after: position } });
});

test('a page has a cursor when there are more items, and no such member on the last page', () => {
  const next = { atMs: 5, id: 'abc' };
  expect(pageOf(['x'], next)).toEqual({ data: ['x'], nextCursor: encodeCursor(next) });
  expect(Object.keys(pageOf([], undefined))).toEqual(['data']);
});

const ours = encodeCursor({ atMs: 1, id: 'abc' });
const base64 = (text: string) => Buffer.from(text).toString('base64url');
for (const cursor of [
  '',
  'x',
  `${ours}=`,
  `${ours}A`,
  ` ${ours}`,
  base64('1.ABC'),
  base64('01.abc'),
  base64('-1.abc'),
  base64('abc'),
  base64('1.abc\n'),
  'A'.repeat(300),
])
  test(`cursor ${JSON.stringify(cursor.slice(0, 20))} is not ours: a bad request (contract/conventions#lists)`, () => {
    expect(page(`cursor=${encodeURIComponent(cursor)}`)).toMatchObject({ ok: false, reason: 'bad-request' });
    expect(decodeCursor(cursor, rules.isId)).toBeUndefined();
  });

test('limit or cursor given twice is a bad request', () => {
  expect(page('limit=1&limit=2')).toMatchObject({ ok: false, reason: 'bad-request' });
  expect(page(`cursor=${ours}&cursor=${ours}`)).toMatchObject({ ok: false, reason: 'bad-request' });
});
