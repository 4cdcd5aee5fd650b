/** docs/architecture.md lists every file with its head comment, and no file that does not exist. */

import { expect, test } from 'bun:test';
import { expectPart, page } from './document-part.ts';
import { sourceFiles } from './source-files.ts';

const files = await sourceFiles();

test('the map of the house is its files with their head comments', async () => {
  const order = ['', 'compose', 'config', 'api', 'http', 'access', 'rpc', 'ledgers', 'stores', 'platform'];
  const rooms = [...Map.groupBy(files, ({ room }) => room)].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const parts = rooms.map(([room, of]) => {
    const lines = of.map(
      ({ path, head = '' }) =>
        `- \`${room === '' ? path : path.slice(room.length + 1)}\`: ${head.replaceAll('<', '\\<')}`,
    );
    return [`### ${room === '' ? 'The process' : `${room}/`}`, '', ...lines].join('\n');
  });
  await expectPart('architecture.md', 'map', parts.join('\n\n'));
});

test('every file that the page draws on a way through the house exists', async () => {
  const drawn = (await page('architecture.md')).split('<!-- map -->')[0] ?? '';
  const named = [
    ...drawn.matchAll(/\b((?:api|http|access|rpc|ledgers|flow|platform|stores)(?:\/[a-z0-9-]+)+)(?:\.ts)?\b(?!\/)/g),
  ].map(([, path]) => `${path}.ts`);
  const steps = [...drawn.matchAll(/(?<![a-z/])steps\/[a-z-]+/g)].map(([path]) => `http/${path}.ts`);
  const known = new Set(files.map(({ path }) => path));
  expect(named.length).toBeGreaterThan(30);
  expect(steps.length).toBeGreaterThan(10);
  expect([...named, ...steps].filter((path) => !known.has(path))).toEqual([]);
});
