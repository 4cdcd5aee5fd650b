/** Files that only their owner reads: a whole one, the old or the new, is there at any moment, also when two write or one is killed. */

import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type RandomBytes, randomName } from '@flowgate/base/random';

const max = 1_048_576;
/** What a killed process left behind is removed when it is older; a write takes milliseconds. */
const leftoverMs = 3_600_000;

/** The text; undefined when there is no such file. `isOpen`: others could read it until now. Throws what the system says, and for a file beyond 1 MiB. */
export function readPrivateFile(path: string): { readonly text: string; readonly isOpen: boolean } | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { size, mode } = fstatSync(file);
    if (size > max) throw new Error(`${path} is larger than any file of ours`);
    return { text: readFileSync(file, 'utf8'), isOpen: (mode & 0o077) !== 0 };
  } finally {
    closeSync(file);
  }
}

/** Creates the directory, 0700, when it is missing. Every call of the system is synchronous, so that no signal's handler runs half-way. Throws what the system says. */
export function writePrivateFile(path: string, text: string, { random, now }: PrivateWrites): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  removeLeftovers(directory, now);
  const temporary = join(directory, `.${basename(path)}.${randomName(random)}.tmp`);
  const file = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export type PrivateWrites = {
  readonly random: RandomBytes;
  /** The wall clock in milliseconds. */
  readonly now: number;
};

export function closeToOthers(path: string): void {
  chmodSync(path, 0o600);
}

function removeLeftovers(directory: string, now: number): void {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith('.') || !name.endsWith('.tmp')) continue;
    const path = join(directory, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && now - found.mtimeMs > leftoverMs) rmSync(path, { force: true });
  }
}
