import { expect, test } from 'bun:test';
import { type Column, shortened, tableLines } from './table.ts';

type Row = { readonly name: string; readonly count: number };
const columns: readonly Column<Row>[] = [
  { title: 'NAME', of: ({ name }) => name, flexible: true },
  { title: 'COUNT', of: ({ count }) => String(count), align: 'right' },
];

test('columns are aligned by display width, also for wide characters', () => {
  const rows = [
    { name: 'a', count: 1 },
    { name: '日本', count: 200_000 },
  ];
  expect(tableLines(rows, columns, undefined)).toEqual(['NAME   COUNT', 'a          1', '日本  200000']);
});

test('a line fits the terminal: flexible columns are shortened, the others are not', () => {
  const rows = [{ name: 'a label of many words', count: 12 }];
  const lines = tableLines(rows, columns, 20);
  expect(lines.map((line) => Bun.stringWidth(line)).every((width) => width <= 20)).toBe(true);
  expect(lines[1]).toBe('a label of m…     12');
  expect(tableLines(rows, columns, undefined)[1]).toContain('a label of many words');
});

test('a value of megabytes, of control characters or of several lines stays in its cell', () => {
  const rows = [
    { name: 'x'.repeat(5_000_000), count: 1 },
    { name: '\u001b[2J\u009b31m\r\nline\u202e', count: 2 },
  ];
  const lines = tableLines(rows, columns, 40);
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(Bun.stringWidth(line)).toBeLessThanOrEqual(40);
  }
});

test('a shortened value ends with an ellipsis and contains whole characters', () => {
  expect(shortened('日本語', 6)).toBe('日本語');
  expect(shortened('日本語', 5)).toBe('日本…');
  expect(shortened('👩‍🚀👩‍🚀👩‍🚀', 4)).not.toMatch(/\ufffd/);
});
