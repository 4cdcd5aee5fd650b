/** Cleanups of test resources: run after each test, in reverse order. */

import { afterEach } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Cleanups = {
  readonly add: (undo: () => void | Promise<void>) => void;
  /** A new empty directory. */
  readonly directory: () => string;
};

/** Call once in each test file. */
export function cleanupAfterEach(): Cleanups {
  const cleanups: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const undo of cleanups.splice(0).reverse()) await undo();
  });
  return {
    add: (undo) => void cleanups.push(undo),
    directory() {
      const directory = mkdtempSync(join(tmpdir(), 'flowgate-devkit-'));
      cleanups.push(() => rmSync(directory, { recursive: true }));
      return directory;
    },
  };
}
