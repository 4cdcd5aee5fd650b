/** Checks docs/decisions: page form, index and citations, and that every dependency is explained. */

import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

const repository = join(import.meta.dir, '../..');
const decisions = join(repository, 'docs', 'decisions');
const pages = readdirSync(decisions).filter((name) => /^\d{4}-/.test(name));
const numbers = new Set(pages.map((name) => name.slice(0, 4)));
const maxWords = 400;

const textOf = (path: string) => readFileSync(join(repository, path), 'utf8');
const pageText = (name: string) => textOf(`docs/decisions/${name}`);
const filesOf = (...patterns: readonly string[]) =>
  patterns
    .flatMap((pattern) => [...new Glob(pattern).scanSync(repository)])
    .filter((path) => !/node_modules|\/dist\//.test(path));

test('every page has at most 400 words', () => {
  expect(pages.length).toBeGreaterThan(0);
  const words = (name: string) => pageText(name).split(/\s+/).filter(Boolean).length;
  expect(pages.filter((name) => words(name) > maxWords)).toEqual([]);
});

test('every page has a number, a title, a status, a context, a decision and consequences', () => {
  const status = String.raw`Status: (?:accepted|superseded by \[(\d{4})\]\(\1-[a-z0-9-]+\.md\))`;
  const wrong = pages.filter((name) => {
    const form = new RegExp(
      String.raw`^# ${name.slice(0, 4)} \S.*\n\n${status}\n\n## Context\n[^]+\n## Decision\n[^]+\n## Consequences\n[^]+$`,
    );
    const text = pageText(name);
    return !form.test(text) || (text.match(/^## /gm)?.length ?? 0) !== 3;
  });
  expect(wrong).toEqual([]);
});

test('page numbers are unique, and the index lists every page once with its title', () => {
  expect(numbers.size).toBe(pages.length);
  const listed = [...pageText('README.md').matchAll(/^- \[(\d{4}) (.+)\]\(([^)]+)\)$/gm)];
  const expected = pages
    .toSorted()
    .map((name) => [name.slice(0, 4), name, /^# \d{4} (.+)$/m.exec(pageText(name))?.[1] ?? '']);
  expect(listed.map(([, number = '', title = '', name = '']) => [number, name, title])).toEqual(expected);
});

test('the number of a merged page is unused, and its target exists', () => {
  const [, merged = ''] = pageText('README.md').split('## Merged pages');
  const rows = [...merged.matchAll(/^\| (\d{4}(?:, \d{4})*) \| (\d{4}) \|$/gm)];
  expect(rows.length).toBeGreaterThan(0);
  for (const [, old = '', page = ''] of rows) {
    expect([page, numbers.has(page)]).toEqual([page, true]);
    for (const number of old.split(', ')) expect([number, numbers.has(number)]).toEqual([number, false]);
  }
});

test('every citation of a decision leads to an existing page', () => {
  const cited = filesOf(
    '{packages,apps,client,devkit,scripts,docs,deploy,test}/**/*.{ts,tsx,mjs,cjs,md,yaml,yml}',
    '*.md',
  ).flatMap((path) =>
    [...textOf(path).matchAll(/\bdecisions?[ /](\d{4}(?:, \d{4})*)(?!\d)/gi)].flatMap(([, all = '']) =>
      all.split(', ').map((number) => ({ path, number })),
    ),
  );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ number }) => !numbers.has(number))).toEqual([]);
});

type Package = { readonly dependencies?: Record<string, string>; readonly devDependencies?: Record<string, string> };

/** The npm packages in the given members of the package.json files in the given folders. */
const installed = (folders: readonly string[], ...members: readonly (keyof Package)[]) =>
  filesOf(...folders.map((folder) => join(folder, 'package.json'))).flatMap((path) => {
    const manifest: Package = JSON.parse(textOf(path));
    return members
      .flatMap((member) => Object.keys(manifest[member] ?? {}))
      .filter((name) => !/^@(?:flowgate|types)\//.test(name));
  });

const linesOf = (number: string) =>
  (pageText(pages.find((name) => name.startsWith(number)) ?? '').match(/^\| `.+$/gm) ?? []).flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

test('every dependency has a reason, and every reason belongs to a dependency', () => {
  const runtime = new Set(installed(['.', 'apps/*', 'packages/*'], 'dependencies'));
  const reasons = linesOf('0001');
  expect(runtime.size).toBeGreaterThan(0);
  expect([...runtime].toSorted()).toEqual(reasons.toSorted());
  const folders = ['.', 'apps/{cli,gateway}', 'packages/*', 'client', 'devkit'];
  const tools = installed(folders, 'dependencies', 'devDependencies');
  const known = [...reasons, ...linesOf('0006')];
  expect(tools.filter((name) => !known.includes(name))).toEqual([]);
});
