/** docs/concepts/architecture.md lists exactly the gateway's modules. */

import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { page } from './doc-pages.ts';
import { sourceRoot } from './source-files.ts';

test('the modules on the page are the source folders', async () => {
  const [, section = ''] = (await page('concepts/architecture.md')).split('## Modules of the gateway');
  const [table = ''] = section.split('\n## ');
  const named = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) => cell.match(/[a-z]+/g) ?? []);
  const folders = readdirSync(sourceRoot, { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(named.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});
