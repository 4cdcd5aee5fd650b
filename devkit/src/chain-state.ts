/** Keeps a readable copy of the chain's state: anvil refuses to start from a file that a crash left half written. */
import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs';

/** Before a start: a good file is copied, a damaged one gives way to the last good copy. Says in a sentence what was lost, if anything. */
export function repairChainState(file: string): string | undefined {
  const copy = `${file}.last-good`;
  if (!existsSync(file)) return undefined;
  if (isJson(file)) {
    copyFileSync(file, copy);
    return undefined;
  }
  renameSync(file, `${file}.damaged`);
  if (!existsSync(copy)) return `The chain's state was damaged (kept as ${file}.damaged): the chain begins anew.`;
  copyFileSync(copy, file);
  return `The chain's state was damaged (kept as ${file}.damaged): the state of the start before is used.`;
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
