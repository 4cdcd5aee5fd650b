/** No file that sends a request with `fetch` reads the response whole: the other side chooses how long it is. */

import { expect, test } from 'bun:test';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');
/** `request.text()` is a server's own request, whose size its server bounds. */
const readsWhole = /(?<!\brequest)\.(?:text|json|arrayBuffer|blob|bytes|formData)\(\)/;
const sendsRequests = /(?<!async )(?<![.\w])fetch\(/;

function unbounded(source: string): boolean {
  return sendsRequests.test(source) && readsWhole.test(source);
}

test('responses are read within a bound (contract/bounds#sizes)', async () => {
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

test('the rule finds a response that is read whole', () => {
  expect(unbounded('const response = await fetch(url);\nreturn response.json();')).toBe(true);
  expect(unbounded('const response = await fetch(url);\nfor await (const piece of response.body ?? []);')).toBe(false);
  expect(unbounded('async fetch(request) { return serve(await request.text()); }')).toBe(false);
});
