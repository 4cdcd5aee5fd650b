import { expect, test } from 'bun:test';
import { integer, json, optional, selection, selectionWithout, table, text, textList, timeMs } from './table.ts';

const things = table('things', 'thingId', {
  thingId: text('thing_id'),
  kind: text<'large' | 'small'>('kind'),
  parts: json<{ readonly left: number }>('parts'),
  labels: textList('labels'),
  count: integer('count'),
  note: optional(text('note')),
  more: optional(json<readonly number[]>('more')),
  endedAtMs: optional(timeMs('ended_at')),
});

const whole = {
  thingId: 't',
  kind: 'small',
  parts: { left: 1 },
  labels: ['a', 'ü'],
  count: 2,
  note: '',
  more: [1, 2],
  endedAtMs: 0,
} as const;
const { note, more, endedAtMs, ...bare } = whole;

test('a record equals the row written from it, with and without its optional members', () => {
  const columns = selection(things);
  const rowOf = (values: readonly unknown[]) =>
    Object.fromEntries(columns.list.text.split(', ').map((name, at) => [name, values[at]]));
  for (const record of [whole, bare]) {
    expect(columns.read(rowOf(columns.values(record).values))).toEqual(record);
    expect(columns.typedValues(record).values).toEqual(columns.values(record).values);
  }
  expect(columns.values(bare).values).toEqual(['t', 'small', '{"left":1}', '["a","ü"]', 2, null, null, null]);
});

test('lists, placeholders and casts follow the order of the columns', () => {
  const columns = selection(things, 'thingId', 'count', 'endedAtMs');
  expect(columns.list.text).toBe('thing_id, count, ended_at');
  expect(columns.of('thing').text).toBe('thing.thing_id, thing.count, thing.ended_at');
  expect(columns.values(whole).text).toBe('?, ?, ?');
  expect(columns.typedValues(whole).text).toBe('CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT)');
  const rest = selectionWithout(things, 'parts', 'labels', 'note', 'more', 'endedAtMs');
  expect(rest.list.text).toBe('thing_id, kind, count');
});

test('a row that lacks a column, or contains another type in it, is a bug and throws', () => {
  const columns = selection(things, 'thingId', 'labels', 'note');
  expect(columns.read({ thing_id: 't', labels: '[]', note: null })).toEqual({ thingId: 't', labels: [] });
  expect(() => columns.read({ thing_id: 't', labels: '[]' })).toThrow('column note contains no text');
  expect(() => columns.read({ thing_id: null, labels: '[]', note: null })).toThrow('column thing_id contains no text');
  expect(() => columns.read({ thing_id: 't', labels: '[1]', note: null })).toThrow('no list of texts');
});
