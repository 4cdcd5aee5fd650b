/** docs/operations.md refers only to files and headings that exist. */

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { page } from '../repository/document-part.ts';
import { repository } from './deploy-files.ts';

test('every file that the page links to is there', async () => {
  const links = [...(await page('operations.md')).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((to) => !existsSync(join(repository, 'docs', to)))).toEqual([]);
});
