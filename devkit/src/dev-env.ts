/** `dev.env` in the data directory: what `npm start` printed, as variables for shells, dotenv and containers; readable by its owner alone. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export type DevEnv = {
  readonly url: string;
  readonly token: string;
  /** Left out while there is no room for a key. */
  readonly apiKey?: string | undefined;
};

/** The key that an earlier start wrote; undefined when there is no file, or none in it. */
export function readKeptKey(file: string): string | undefined {
  return /^FLOWGATE_API_KEY=(\S+)$/m.exec(readOrNone(file))?.[1];
}

/** Replaces the file at once: no reader ever sees half of it, and no mode of an older one stays. */
export function writeDevEnv(file: string, { url, token, apiKey }: DevEnv): void {
  const lines = [
    '# Written by each npm start. These are credentials: keep the file to yourself.',
    `FLOWGATE_URL=${url}`,
    ...(apiKey === undefined ? [] : [`FLOWGATE_API_KEY=${apiKey}`]),
    `FLOWGATE_TOKEN=${token}`,
  ];
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${lines.join('\n')}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

function readOrNone(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
