/**
 * A base name means one thing, so that a file's name identifies the file. The gateway and its packages share one set of
 * names; each other application has its own.
 */

import { expect, test } from 'bun:test';
import { basename, join } from 'node:path';
import { Glob } from 'bun';

const repository = join(import.meta.dir, '../..');

const programs = {
  'the gateway and the packages': ['apps/gateway/src', 'packages/!(testing)/src'],
  'the command line': ['apps/cli/src'],
  'the console': ['apps/console/src'],
  'the client': ['client/src'],
  'the development kit': ['devkit/src'],
} as const;

/** Entry points are named after their folder. */
const isEntry = (name: string) => /^(?:index|main|entry|start)\.tsx?$/.test(name);

/** The paths of each base name that occurs more than once. */
function sharedNames(paths: readonly string[]): readonly (readonly string[])[] {
  const byName = Map.groupBy(
    paths.filter((path) => !isEntry(basename(path)) && !/\.(test|contract)\.tsx?$|\.d\.ts$/.test(path)),
    (path) => basename(path),
  );
  return [...byName.values()].filter((each) => each.length > 1);
}

test.each(Object.entries(programs))('%s: no two files have the same base name', (_, places) => {
  const paths = places.flatMap((place) => [...new Glob(`${place}/**/*.{ts,tsx}`).scanSync(repository)]);
  expect(paths.length).toBeGreaterThan(10);
  expect(sharedNames(paths)).toEqual([]);
});

test('the rule reports two files with one base name, and ignores entry points and tests', () => {
  expect(sharedNames(['a/view.ts', 'b/view.ts', 'c/other.ts'])).toEqual([['a/view.ts', 'b/view.ts']]);
  expect(sharedNames(['a/start.ts', 'b/start.ts', 'a/view.ts', 'b/view.test.ts'])).toEqual([]);
});
