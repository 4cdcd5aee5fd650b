/** A lock between processes of one user: a file that exists while a process owns the lock. */

import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomName } from '@flowgate/base/random';
import { messageOf } from '@flowgate/base/text';
import { CliProblem } from '../cli-problem.ts';
import type { CliRuntime } from '../runtime.ts';

/** Longer than a renewal, whose two requests time out after 10 s each: an older lock belongs to a killed process. */
const abandonedMs = 25_000;
const pollMs = 25;

/** Resolves with a function that releases the lock. Throws `CliProblem` when the file cannot be created, and the signal's reason. */
export async function holdLock(
  path: string,
  { clock, signal, randomBytes }: Pick<CliRuntime, 'clock' | 'signal' | 'randomBytes'>,
): Promise<() => void> {
  const name = randomName(randomBytes);
  let seen = { holder: '', since: clock.monotonic() };
  while (!taken(path, name)) {
    signal.throwIfAborted();
    const holder = holderOf(path) ?? seen.holder;
    // Measured with this process' clock, because file times may come from another clock.
    if (holder !== seen.holder) seen = { holder, since: clock.monotonic() };
    if (clock.monotonic() - seen.since > abandonedMs) rmSync(path, { force: true });
    else await pause(pollMs, undefined, { signal });
  }
  return () => {
    // Another process may have treated the lock as abandoned.
    if (holderOf(path) === name) rmSync(path, { force: true });
  };
}

function taken(path: string, name: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, name);
    closeSync(file);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
    if (code === 'EEXIST') return false;
    throw new CliProblem('failed', `${path} cannot be written (${code})`);
  }
}

/** Undefined when no process owns the lock. */
function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
