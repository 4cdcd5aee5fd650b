/** Files that only their owner can read, replaced atomically: a reader finds the old or the new content, also after concurrent writes or a kill. */

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
/** Temporary files of killed processes are removed after this time; a write takes milliseconds. */
const leftoverMs = 3_600_000;

/** The text; undefined when the file is missing. `isOpen`: other users could read it so far. Throws the system's error, and for a file above 1 MiB. */
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

/** Creates a missing directory with mode 0700. All system calls are synchronous, so that no signal handler runs between them. Throws the system's error. */
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
