/** `bun test` at the root, which `npm test` runs, fails a test that asserts nothing. */

import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');

test('a test that calls no expect fails, also when its expect is in a loop without items', () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-silent-'));
  const file = join(directory, 'silent.test.ts');
  writeFileSync(
    file,
    `import { expect, test } from 'bun:test';
    test('looks at nothing', () => {});
    test('looks at each of none', async () => { for (const each of [await '']) if (each) expect(each).toBe(''); });
    test('looks', () => { expect(1).toBe(1); });`,
  );
  try {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'test', file], { cwd: root });
    const said = stderr.toString();
    expect(said.split('\n').filter((line) => /^ *\d+ (pass|fail)$/.test(line))).toEqual([' 1 pass', ' 2 fail']);
    expect(said).toContain('expected at least one assertion');
    expect(exitCode).toBe(1);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
