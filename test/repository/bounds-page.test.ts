/** A test names each bound in the tables of docs/contract/bounds.md and reaches it. */

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';

const repository = join(import.meta.dir, '../..');
const sections = ['waiting', 'sizes', 'pieces'] as const;

/** The first cells of the table rows below a heading, without the header rows. */
function rowsOf(page: string, section: string): readonly string[] {
  const [, text = ''] = page.split(new RegExp(`^## ${section}$`, 'im'));
  const [own = ''] = text.split(/^## /m);
  return [...own.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell).filter((cell) => !/^(---|what)/.test(cell));
}

async function citedBounds(): Promise<ReadonlySet<string>> {
  const cited = new Set<string>();
  for (const path of new Glob('{packages,apps,test}/**/*.test.ts').scanSync(repository)) {
    if (path.includes('node_modules/')) continue;
    const text = await Bun.file(join(repository, path)).text();
    for (const [, bound = ''] of text.matchAll(/contract\/bounds#([a-z]+: [^),\n]+(?:, [^),\n]+)*)\)/g))
      cited.add(bound);
  }
  return cited;
}

test('tests name every bound of the page, and only bounds of the page', async () => {
  const page = await Bun.file(join(repository, 'docs/contract/bounds.md')).text();
  const bounds = sections.flatMap((section) => rowsOf(page, section).map((row) => `${section}: ${row}`));
  expect(bounds.length).toBeGreaterThan(25);
  const cited = [...(await citedBounds())];
  expect(bounds.filter((bound) => !cited.includes(bound))).toEqual([]);
  expect(cited.filter((bound) => !bounds.includes(bound))).toEqual([]);
});
