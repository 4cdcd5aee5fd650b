/**
 * Checks the citations of docs/contract: the index lists every page, and every citation in code leads to an existing
 * heading.
 */

import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

const repository = join(import.meta.dir, '../..');
const contract = join(repository, 'docs', 'contract');
const pages = readdirSync(contract).filter((name) => name.endsWith('.md') && name !== 'README.md');

/** The anchor that Markdown renderers generate for a heading. */
function anchorsOf(page: string): readonly string[] {
  const text = readFileSync(join(contract, page), 'utf8');
  return [...text.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
}

const anchors = new Map(pages.map((page) => [page.replace('.md', ''), anchorsOf(page)]));

type Citation = { readonly at: string; readonly page: string; readonly anchor: string | undefined };

async function citations(): Promise<readonly Citation[]> {
  const found: Citation[] = [];
  for (const path of new Glob('{packages,apps,client,devkit,scripts,test}/**/*.{ts,mjs}').scanSync(repository)) {
    if (/node_modules|\/dist\//.test(path) || path.endsWith('contract-pages.test.ts')) continue;
    const text = await Bun.file(join(repository, path)).text();
    for (const [, page = '', anchor] of text.matchAll(/(?<!\.\.\/|test\/)\bcontract\/([a-z-]+)(?:#([a-z0-9-]+))?/g))
      if (!['session-store', 'api-key-store'].includes(page)) found.push({ at: path, page, anchor });
  }
  return found;
}

test('every citation of the contract leads to an existing page and heading', async () => {
  const all = await citations();
  expect(all.length).toBeGreaterThan(400);
  const lost = all.filter(({ page, anchor }) => {
    const headings = anchors.get(page);
    return headings === undefined || (anchor !== undefined && !headings.includes(anchor));
  });
  expect(lost).toEqual([]);
});

test('the index lists every page, and headings are unique on a page', () => {
  const list = readFileSync(join(contract, 'README.md'), 'utf8');
  expect(pages.filter((page) => !list.includes(`](${page})`))).toEqual([]);
  for (const headings of anchors.values()) expect(new Set(headings).size).toBe(headings.length);
});

test('no page has more than 1,200 words', async () => {
  const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text);
  const counted = await Promise.all(
    pages.map(async (page) => {
      const text = await Bun.file(join(contract, page)).text();
      return { page, words: text.split(/\s+/).filter(isWord).length };
    }),
  );
  expect(counted.filter(({ words }) => words > 1_200)).toEqual([]);
});

/** Numbered documents outside the repository, which readers of the code cannot look up. */
const outside = /\bdecisions? \d{1,2}\b(?!\d)|\(interface\b|\binterface, [A-Z]|\bissues? \d+\b/;

test('citations name only documents of the repository', async () => {
  const strays: string[] = [];
  for (const path of new Glob('{packages,apps,client,devkit,scripts,docs,test}/**/*.{ts,mjs,md}').scanSync(
    repository,
  )) {
    if (/node_modules|\/dist\//.test(path) || path.endsWith('contract-pages.test.ts')) continue;
    const lines = (await Bun.file(join(repository, path)).text()).split('\n');
    strays.push(...lines.flatMap((line, at) => (outside.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])));
  }
  expect(strays).toEqual([]);
});
