/** `dev.env` in the data directory: the URL, key and token of `npm start` as variables for shells, dotenv and containers. Only its owner can read it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export type DevEnv = {
  readonly url: string;
  /** Base URL of the node provider for the local chain; a provider key follows it. */
  readonly nodeProviderUrl: string;
  /** Path of `bridge.json`, when a local rollup runs. */
  readonly bridgeFile?: string | undefined;
  readonly token: string;
  /** Absent when the user already has the maximum number of keys. */
  readonly apiKey?: string | undefined;
};

/** Users may edit the file: quotes, `export` and other line ends are accepted. A text without a key's form is ignored (contract/keys#form). */
const apiKeyLine = /^(?:export )?FLOWGATE_API_KEY=["']?(fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49})["']?\r?$/m;

/** The key that an earlier start wrote; undefined when the file is missing, unreadable or without a key. */
export function readSavedKey(file: string): string | undefined {
  return apiKeyLine.exec(readOrNone(file))?.[1];
}

/** Replaces the file atomically, with mode 0600. Returns the reason when it cannot be written. */
export function writeDevEnv(file: string, env: DevEnv): string | undefined {
  const { url, nodeProviderUrl, bridgeFile, token, apiKey } = env;
  const lines = [
    '# Written by each npm start. These are credentials: keep the file to yourself.',
    `FLOWGATE_URL=${url}`,
    `FLOWGATE_NODE_PROVIDER=${nodeProviderUrl}`,
    ...(bridgeFile === undefined ? [] : [`FLOWGATE_BRIDGE=${quoted(bridgeFile)}`]),
    ...(apiKey === undefined ? [] : [`FLOWGATE_API_KEY=${apiKey}`]),
    `FLOWGATE_TOKEN=${token}`,
  ];
  const fresh = `${file}.${crypto.randomUUID()}`;
  try {
    // `wx` does not follow links.
    writeFileSync(fresh, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(fresh, file);
    return undefined;
  } catch (error) {
    rmSync(fresh, { force: true });
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** Quotes a value for shells, which read the file as commands. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** An unreadable file counts as empty: the start writes a new one. */
function readOrNone(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
