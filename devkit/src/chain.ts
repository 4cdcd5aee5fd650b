/** A local Ethereum chain: anvil's binary for this platform, on loopback, which ends with this process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type GuardedProcess, spawnGuarded } from './guarded-process.ts';
import { logTail, readOrEmpty } from './log-tail.ts';

export type Chain = GuardedProcess & {
  readonly url: string;
  readonly port: number;
  readonly chainId: number;
  /** The end of the chain's log; also available after the chain has ended. */
  readonly logEnd: () => string;
};

export type ChainOptions = {
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  /** Default 31337. */
  readonly chainId?: number;
  /** Additional arguments of anvil. */
  readonly flags?: readonly string[];
  /** Read at the start if it exists, and written every few seconds and at the end. Without it the chain is lost. */
  readonly stateFile?: string;
  /** Default: a temporary file, removed with the chain. */
  readonly logFile?: string;
};

/** A killed chain loses at most the blocks of this interval. */
const stateIntervalSeconds = 5;
const startTimeoutMs = 30_000;

/** Resolves when the chain answers. Throws with the end of anvil's log when it does not start. */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const directory = options.logFile === undefined ? mkdtempSync(join(tmpdir(), 'flowgate-chain-')) : undefined;
  const logFile = options.logFile ?? join(directory ?? tmpdir(), 'chain.log');
  const child = spawnGuarded([anvilBinary(), ...anvilArguments(options, dirname(logFile))], { logFile });
  const removeDirectory = () => directory !== undefined && rmSync(directory, { recursive: true, force: true });
  try {
    const port = await listeningPort(child, logFile);
    let lastWords: string | undefined;
    child.exited.then(() => {
      lastWords = logTail(logFile);
      removeDirectory();
    });
    const logEnd = () => lastWords ?? logTail(logFile);
    return { ...child, port, url: `http://127.0.0.1:${port}`, chainId: options.chainId ?? 31337, logEnd };
  } catch (error) {
    await child.kill();
    removeDirectory();
    throw error;
  }
}

function anvilArguments(options: ChainOptions, cacheDirectory: string): string[] {
  const state =
    options.stateFile === undefined
      ? []
      : ['--state', options.stateFile, '--state-interval', String(stateIntervalSeconds)];
  return [
    ...['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--chain-id', String(options.chainId ?? 31337)],
    ...['--color', 'never', '--cache-path', cacheDirectory],
    ...state,
    ...(options.flags ?? []),
  ];
}

/** npm's `anvil` command is a wrapper that loses exit status and signals, so the main package resolves the platform's package. */
function anvilBinary(): string {
  const names: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };
  const name = `@foundry-rs/anvil-${process.platform}-${names[process.arch] ?? process.arch}`;
  const anvil = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
  try {
    return join(dirname(createRequire(anvil).resolve(`${name}/package.json`)), 'bin', 'anvil');
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: run npm ci (anvil may not exist for this platform).`, {
      cause,
    });
  }
}

/** anvil prints its address when it listens; with port 0 that line is the only source. */
async function listeningPort(child: GuardedProcess, logFile: string): Promise<number> {
  let code: number | undefined;
  child.exited.then((exitCode) => {
    code = exitCode;
  });
  const deadlineMs = performance.now() + startTimeoutMs;
  while (code === undefined && performance.now() < deadlineMs) {
    const line = /^Listening on 127\.0\.0\.1:(\d+)$/m.exec(readOrEmpty(logFile));
    if (line !== null) return Number(line[1]);
    await Bun.sleep(10);
  }
  const reason = code === undefined ? `did not start within ${startTimeoutMs / 1000} s` : `ended with ${code}`;
  throw new Error(`The chain ${reason}. The end of its log:\n${logTail(logFile)}`);
}
