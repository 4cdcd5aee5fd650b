/** One process of the user's at a time: a file that is there while somebody holds it. */

import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomName } from '@flowgate/base/random';
import { messageOf } from '@flowgate/base/text';
import { CliProblem } from '../cli-problem.ts';
import type { CliRuntime } from '../runtime.ts';

/** Longer than any renewal takes, whose two requests end after 10 s each: whoever holds it longer was killed. */
const abandonedMs = 25_000;
const pollMs = 25;

/** Resolves with what gives it back. Throws `CliProblem` when the file cannot be made, and the signal's reason. */
export async function holdLock(
  path: string,
  { clock, signal, randomBytes }: Pick<CliRuntime, 'clock' | 'signal' | 'randomBytes'>,
): Promise<() => void> {
  const name = randomName(randomBytes);
  let seen = { holder: '', since: clock.monotonic() };
  while (!taken(path, name)) {
    signal.throwIfAborted();
    const holder = holderOf(path) ?? seen.holder;
    // Measured here: the times of files are those of another clock.
    if (holder !== seen.holder) seen = { holder, since: clock.monotonic() };
    if (clock.monotonic() - seen.since > abandonedMs) rmSync(path, { force: true });
    else await pause(pollMs, undefined, { signal });
  }
  return () => {
    // Somebody may have taken it for abandoned.
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

/** Undefined when no one holds it. */
function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
