/**
 * No file that sends requests with `fetch` reads a response without a limit, because the other side chooses its length.
 */

import { expect, test } from 'bun:test';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');
/** `request.text()` reads a request that a server received; the server limits its size. */
const readsWhole = /(?<!\brequest)\.(?:text|json|arrayBuffer|blob|bytes|formData)\(\)/;
const sendsRequests = /(?<!async )(?<![.\w])fetch\(/;

function unbounded(source: string): boolean {
  return sendsRequests.test(source) && readsWhole.test(source);
}

test('responses are read with a size limit (contract/bounds#sizes)', async () => {
  const found: string[] = [];
  let read = 0;
  for (const pattern of ['packages/*/src/**/*.ts', 'apps/gateway/src/**/*.ts', 'devkit/src/**/*.ts'])
    for await (const path of new Bun.Glob(pattern).scan(root)) {
      if (/\.(test|contract)\.ts$/.test(path)) continue;
      read += 1;
      if (unbounded(await Bun.file(join(root, path)).text())) found.push(path);
    }
  expect(read).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test('the rule finds a response that is read without a limit', () => {
  expect(unbounded('const response = await fetch(url);\nreturn response.json();')).toBe(true);
  expect(unbounded('const response = await fetch(url);\nfor await (const piece of response.body ?? []);')).toBe(false);
  expect(unbounded('async fetch(request) { return serve(await request.text()); }')).toBe(false);
});
