/** The development pepper: created once and reused for the database whose keys depend on it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { StartProblem } from './start-settings.ts';

/** 256 random bits in base64url, in a file that only its owner can read. Throws `StartProblem` when the file contains less. */
export function loadPepper(file: string): string {
  try {
    // `wx` never replaces a file: two concurrent starts use the same pepper.
    const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
    writeFileSync(file, `${fresh}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const pepper = readFileSync(file, 'utf8').trim();
  if (pepper.length < 32) throw new StartProblem(`${file} is damaged: delete it (existing API keys become invalid).`);
  return pepper;
}
