/** The last lines of a log file, to show why a process failed. */
import { readFileSync } from 'node:fs';

export function logTail(path: string, lines = 20): string {
  const text = readOrEmpty(path).trimEnd();
  return text.split('\n').slice(-lines).join('\n');
}

/** A process that ended before it wrote anything may have no file. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
