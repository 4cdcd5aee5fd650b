/**
 * Rules of every source file: name, length, head comment, and where time, randomness and environment are read.
 * `.dependency-cruiser.cjs` says which module may import which.
 */

import { expect, test } from 'bun:test';
import { packageFiles, sourceFiles } from './source-files.ts';

const files = await sourceFiles();
const all = [...files, ...(await packageFiles())];

test('files have specific kebab-case names, a head comment and at most 400 lines', () => {
  const named = (path: string) => path.split('/').at(-1) ?? '';
  expect(
    all.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/.test(named(path))).map(({ path }) => path),
  ).toEqual([]);
  expect(
    all.filter(({ path }) => /^(types|common|utils|helpers|shared|index)\./.test(named(path))).map(({ path }) => path),
  ).toEqual([]);
  expect(all.filter(({ head }) => head === undefined || head.length < 20).map(({ path }) => path)).toEqual([]);
  expect(all.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
});

test('no file only re-exports other files', () => {
  const statements = (text: string) =>
    text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|export [^;]*? from '[^']+';/g, '').trim();
  const barrels = all.filter(({ text }) => /^export \* /m.test(text) || statements(text) === '');
  expect(barrels.map(({ path }) => path)).toEqual([]);
});

const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

/** Files whose code matches `pattern`, except those in `homes`. */
function strays(pattern: RegExp, homes: readonly string[]): readonly string[] {
  return all
    .filter(({ path, text }) => !homes.includes(path) && pattern.test(code(text)))
    .map(({ path }) => `${path}: ${pattern.source}`);
}

test('time, environment and randomness are each read in one place', () => {
  const found = [
    ...strays(/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bBun\.nanoseconds\b|\bhrtime\b/, [
      'packages/base/src/clock.ts',
    ]),
    // The last file contains the text of a new app, which runs elsewhere.
    ...strays(/\bprocess\.env\b|\bBun\.env\b/, [
      'run-command.ts',
      'apps/cli/src/main.ts',
      'apps/cli/src/flow-apps/template-files.ts',
    ]),
    ...strays(/\bMath\.random\b/, []),
    ...strays(/\bgetRandomValues\b|\brandomUUID|\brandom(Int|Fill|FillSync)\b|\bgenerateKey/, []),
    ...strays(/import [^;]*\brandomBytes\b[^;]* from '(node:)?crypto'/, ['packages/base/src/random.ts']),
  ];
  expect(found).toEqual([]);
});

/** A thread cannot use objects of another thread, so it creates its own clock and randomness. */
const threads = ['packages/sql/src/engine/sqlite/sqlite-worker.ts'];

test('the composition root creates each singleton of a process once and passes it on', () => {
  // The user commands run in a process of their own, without a gateway.
  const made = ['bootstrap/runtime.ts', 'apps/cli/src/process-runtime.ts'];
  const found = [
    // A deadline that allows for a blocked event loop must read the clock that the timers use.
    ...strays(/\bsystemClock\b/, [
      'packages/base/src/clock.ts',
      'packages/async/src/loop-deadline.ts',
      ...made,
      ...threads,
    ]),
    ...strays(/\bsystemRandomBytes\b/, ['packages/base/src/random.ts', ...made, ...threads]),
    ...strays(/\bcreateTimerWheel\(/, ['packages/async/src/timer-wheel.ts', ...made]),
    ...strays(/\bcreateLog\(/, ['packages/telemetry/src/log.ts', ...made]),
  ];
  expect(found).toEqual([]);
  expect(all.filter(({ path, text }) => threads.includes(path) && /\bself\.onmessage\b/.test(text))).toHaveLength(1);
});
