/**
 * Every link of every page leads to an existing file and heading. Pages without a test of their own have a length
 * limit.
 */

import { expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';

const repository = join(import.meta.dir, '../..');
const pages = ['*.md', '{apps,client,deploy,devkit,docs,packages,test}/**/*.md']
  .flatMap((pattern) => [...new Glob(pattern).scanSync(repository)])
  .filter((path) => !/node_modules|(^|\/)dist\//.test(path));
const textOf = (path: string) => readFileSync(join(repository, path), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '');
const anchors = new Map<string, readonly string[]>();

/** The anchors that Markdown renderers generate for the headings of a page. */
function anchorsOf(path: string): readonly string[] {
  const known = anchors.get(path);
  if (known !== undefined) return known;
  const found = [...withoutCode(textOf(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 _-]/g, '')
      .replaceAll(' ', '-'),
  );
  anchors.set(path, found);
  return found;
}

function leadsSomewhere(from: string, to: string, anchor: string | undefined): boolean {
  const target = to === '' ? from : join(dirname(from), to);
  if (!existsSync(join(repository, target))) return false;
  if (anchor === undefined || statSync(join(repository, target)).isDirectory()) return anchor === undefined;
  return !target.endsWith('.md') || anchorsOf(target).includes(anchor);
}

test('every link leads to an existing file and, with an anchor, to an existing heading', () => {
  const links = pages.flatMap((from) =>
    [...withoutCode(textOf(from)).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, to = '', anchor, image]) => ({ from, to: image ?? to, anchor }),
    ),
  );
  expect(links.length).toBeGreaterThan(500);
  expect(links.filter(({ from, to, anchor }) => !leadsSomewhere(from, to, anchor))).toEqual([]);
});

test('the README, tutorials, concepts and guides stay within their length limits', () => {
  const maxWords = { 'README.md': 650, 'docs/tutorials/': 1_000, 'docs/concepts/': 2_500, 'docs/': 2_000 };
  const bounded = Object.entries(maxWords).flatMap(([place, max]) =>
    pages
      .filter((path) => path === place || (place.endsWith('/') && dirname(path) === place.slice(0, -1)))
      .map((path) => ({ path, max, words: textOf(path).split(/\s+/).filter(Boolean).length })),
  );
  expect(bounded.length).toBeGreaterThan(10);
  expect(bounded.filter(({ words, max }) => words > max)).toEqual([]);
});
