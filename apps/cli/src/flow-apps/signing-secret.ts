/** The app's signing secret, from the environment or from the `.env` next to the manifest; never from the command line. */

import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RandomBytes } from '@flowgate/base/random';
import { CliProblem } from '../cli-problem.ts';

export const secretVariable = 'SIGNING_SECRET';

const maxBytes = 65_536;

export function newSecret(randomBytes: RandomBytes): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Undefined when there is none. Throws `CliProblem` for an invalid secret; the message does not contain it. */
export function signingSecretFor(
  manifestFile: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const own = environment[secretVariable] ?? '';
  const secret = own === '' ? fromFile(join(dirname(manifestFile), '.env')) : own;
  if (secret === undefined || secret === '') return undefined;
  if (/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(secret)) return secret;
  throw new CliProblem('usage', `${secretVariable} must be whsec_ followed by base64 of 24 to 64 bytes`);
}

function fromFile(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.size > maxBytes) return undefined;
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const [, value] = /^(?:export )?SIGNING_SECRET=(.*)$/.exec(line) ?? [];
    if (value !== undefined) return unquoted(value.trim());
  }
  return undefined;
}

function unquoted(value: string): string {
  const quote = value[0] ?? '';
  return value.length > 1 && `"'`.includes(quote) && value.endsWith(quote) ? value.slice(1, -1) : value;
}
