/** The table of bounds in `docs/storage.md` lists the statements of the source. */

import { expect, test } from 'bun:test';
import { page, tableAfter } from './document-part.ts';
import { statementPlaces } from './sql-texts.ts';

test('every statement of the stores is in the table of what bounds it, and no other', async () => {
  const rows = tableAfter(await page('storage.md'), '## What bounds each query');
  const documented = rows.map(([place = '', statements]) => `${place.replaceAll('`', '')}: ${statements}`);
  const found = (await statementPlaces()).map(({ place, statements }) => `${place}: ${statements.join(' ')}`);
  expect(documented.sort()).toEqual(found.sort());
  expect(found.length).toBeGreaterThan(90);
});

test('each row says what bounds rows and bytes, and reads are bounded by a number', async () => {
  for (const [place, statements = '', rows = '', bytes = ''] of tableAfter(
    await page('storage.md'),
    '## What bounds each query',
  )) {
    expect([place, rows.length > 0 && bytes.length > 0]).toEqual([place, true]);
    // A read is bounded by a number, a limit that is a number, or another bounded row.
    if (/SELECT|WITH/.test(statements))
      expect([place, rows]).toEqual([place, expect.stringMatching(/\d|`limit`|as many as|there are|whole queue/)]);
  }
});
