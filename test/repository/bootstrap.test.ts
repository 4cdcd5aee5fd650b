/**
 * Checks that the composition root stays a list: one file and one line for each module, and no late binding
 * (docs/concepts/architecture.md).
 */

import { expect, test } from 'bun:test';
import { sourceFiles } from './source-files.ts';

const files = (await sourceFiles()).filter(({ module }) => module === 'bootstrap');
const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
const list = code(files.find(({ path }) => path === 'bootstrap/gateway.ts')?.text ?? '');

/** For each file of a module, the function that opens the module. */
const modules = files
  .filter(({ path, text }) => path !== 'bootstrap/open-modules.ts' && /\bmoduleHooks\(/.test(code(text)))
  .map(({ path, text }) => ({ path, opens: /^export (?:async )?function (open\w+)\(/m.exec(text)?.[1] ?? 'nothing' }));

test('each module is one file of bootstrap and one line of bootstrap/gateway.ts', () => {
  const lines = [...list.matchAll(/\bopened\.open\(\s*(?:await )?(\w+)\(/g)].map(([, name = '']) => name);
  expect(lines.length).toBeGreaterThan(8);
  expect(modules.map(({ opens }) => opens).sort()).toEqual(lines.toSorted());
});

test('bootstrap assigns nothing after its creation, except the state of worker processes', () => {
  const assigned = files.filter(
    ({ path, text }) => !path.startsWith('bootstrap/workers/') && /\blet\b/.test(code(text)),
  );
  expect(assigned.map(({ path }) => path)).toEqual([]);
});

test('bootstrap awaits nothing between listening and serving', () => {
  const [, listening = ''] = list.split('openListener(config');
  const [between = ''] = listening.split('opened.start()');
  expect(between).toContain('openEdge(');
  expect(between).not.toMatch(/\bawait\b/);
});
