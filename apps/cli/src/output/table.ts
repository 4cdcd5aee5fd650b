/** Rows in columns that fit into the terminal's width. */

import { plainText } from './plain-text.ts';

export type Column<Row> = {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly align?: 'right';
  /** The column may be shortened in a narrow terminal; default: never shortened. */
  readonly flexible?: boolean;
};

const gap = '  ';
const minWidth = 8;

/** Unstyled lines; the first contains the titles. `width`: characters per line, undefined for no limit. Control characters of values are removed. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number | undefined,
): readonly string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((each) => plainText(each.of(row)))),
  ];
  const widths = columns.map((_, at) => cells.reduce((max, line) => Math.max(max, widthOf(line[at])), 0));
  if (width !== undefined) narrow(widths, columns, width);
  return cells.map((line) =>
    line
      .map((cell, at) => padded(shortened(cell, widths[at] ?? 0), widths[at] ?? 0, columns[at]?.align))
      .join(gap)
      .trimEnd(),
  );
}

/** Removes characters from the widest flexible column until the line fits or all flexible columns are small. */
function narrow<Row>(widths: number[], columns: readonly Column<Row>[], width: number): void {
  // The number of rounds is bounded by the terminal's width, also for long hostile values.
  for (const [at, each] of widths.entries()) widths[at] = Math.min(each, width);
  let excess = widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1)) - width;
  const flexible = widths.map((_, at) => at).filter((at) => columns[at]?.flexible === true);
  while (excess-- > 0) {
    const [widest] = flexible.toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0));
    const present = widest === undefined ? 0 : (widths[widest] ?? 0);
    if (widest === undefined || present <= minWidth) return;
    widths[widest] = present - 1;
  }
}

function widthOf(text: string | undefined): number {
  return text === undefined ? 0 : Bun.stringWidth(text);
}

/** At most `width` wide, with an ellipsis when shortened. */
export function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let taken = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width - 1) break;
    taken += character;
  }
  return `${taken}…`;
}

function padded(text: string, width: number, align: Column<unknown>['align']): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? blanks + text : text + blanks;
}
