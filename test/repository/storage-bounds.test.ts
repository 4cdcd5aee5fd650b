/** `statement-bounds.yaml` gives the bounds of rows and bytes for each statement of the source. */

import { expect, test } from 'bun:test';
import { statementPlaces } from './sql-texts.ts';
import { statementBounds } from './statement-bounds.ts';

const rows = Object.entries(statementBounds).flatMap(([file, functions]) =>
  Object.entries(functions).map(([name, bound]) => ({ place: `${file} ${name}`, ...bound })),
);
const places = await statementPlaces();

test('exactly the functions with statements have a row', () => {
  expect(rows.map(({ place }) => place).sort()).toEqual(places.map(({ place }) => place).sort());
  expect(places.length).toBeGreaterThan(90);
});

test('each row bounds rows and bytes, and reads are bounded by a number', () => {
  for (const { place, rows: max, bytes } of rows) {
    expect([place, max.length > 0 && bytes.length > 0]).toEqual([place, true]);
    const statements = places.find((each) => each.place === place)?.statements.join(' ') ?? '';
    // A read is bounded by a number, a limit that is a number, or another bounded row.
    if (/SELECT|WITH/.test(statements))
      expect([place, max]).toEqual([place, expect.stringMatching(/\d|`limit`|as many as|whole queue|orphaned blocks/)]);
  }
});
