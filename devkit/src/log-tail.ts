/** The last lines of a log file, for the error of a failed process. */
import { readFileSync } from 'node:fs';

export function logTail(path: string, lines = 20): string {
  const text = readOrEmpty(path).trimEnd();
  return text.split('\n').slice(-lines).join('\n');
}

/** A process that ended before its first output may have no file. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
