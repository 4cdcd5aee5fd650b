/** `dev.env` in the data directory: what `npm start` printed, as variables for shells, dotenv and containers; readable by its owner only. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export type DevEnv = {
  readonly url: string;
  /** Where users' nodes on the local chain are; a provider's key follows. */
  readonly nodeProviderUrl: string;
  /** `bridge.json`, when there is a local rollup. */
  readonly bridgeFile?: string | undefined;
  readonly token: string;
  /** Absent when the user has no room for another key. */
  readonly apiKey?: string | undefined;
};

/** People edit it: quotes, `export` and other line ends are accepted; a text without a key's form is none (contract/keys#form). */
const keptKeyLine = /^(?:export )?FLOWGATE_API_KEY=["']?(fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49})["']?\r?$/m;

/** The key that an earlier start wrote; undefined when there is no file, no key, or nothing readable. */
export function readKeptKey(file: string): string | undefined {
  return keptKeyLine.exec(readOrNone(file))?.[1];
}

/** Replaces the file at once: no reader sees half of it, and an older mode does not stay. Returns the reason when it cannot be written. */
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

/** For a shell, which reads the file as its own commands. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The file is made again in any case, so an unreadable one keeps nothing from starting. */
function readOrNone(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
