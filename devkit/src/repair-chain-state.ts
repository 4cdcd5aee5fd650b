/** Maintains a readable copy of the chain's state: anvil does not start from a file that a crash left incomplete. */
import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs';

/** Runs before a start: copies a good file, and replaces a damaged file by the last good copy. Returns a sentence about lost data, if any. */
export function repairChainState(file: string): string | undefined {
  const copy = `${file}.last-good`;
  if (!existsSync(file)) return undefined;
  if (isJson(file)) {
    copyFileSync(file, copy);
    return undefined;
  }
  renameSync(file, `${file}.damaged`);
  if (!existsSync(copy))
    return `The chain's state was damaged and was moved to ${file}.damaged: the chain starts empty.`;
  copyFileSync(copy, file);
  return `The chain's state was damaged and was moved to ${file}.damaged: the copy from the previous start is used.`;
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
