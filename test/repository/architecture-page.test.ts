/** docs/concepts/architecture.md names each module of the gateway, and no other. */

import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { page } from './document-part.ts';
import { sourceRoot } from './source-files.ts';

test('the modules on the page are the folders of the sources', async () => {
  const [, section = ''] = (await page('concepts/architecture.md')).split('## Modules of the gateway');
  const [table = ''] = section.split('\n## ');
  const named = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) => cell.match(/[a-z]+/g) ?? []);
  const folders = readdirSync(sourceRoot, { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(named.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});
