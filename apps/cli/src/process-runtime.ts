/** The real process runtime: its streams, signals, clock and randomness. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import type { CliRuntime, Sink } from './runtime.ts';

type Output = NodeJS.WriteStream & { fd: 1 | 2 };

/** Listens for signals from now on. A second Ctrl-C ends the process at once; a closed output pipe ends it as well. */
export function processRuntime(environment: CliRuntime['environment']): CliRuntime {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (ended.signal.aborted) process.exit(130);
      ended.abort(new Error(`ended by ${signal}`));
    });
  // A reader closes the pipe when it has read enough. For any other error, such as a full disk, output is lost and the command fails.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.stderr.on('error', () => {});
  return {
    environment,
    platform: process.platform,
    home: homedir(),
    stdin: { isTerminal: process.stdin.isTTY === true, bytes: () => process.stdin },
    stdout: sink(process.stdout),
    stderr: sink(process.stderr),
    clock: systemClock,
    randomBytes: systemRandomBytes,
    fetch: (url, init) => fetch(url, init),
    signal: ended.signal,
    ...(process.stdin.isTTY === true && process.stdout.isTTY === true
      ? { prompts: { input: process.stdin, output: process.stdout } }
      : {}),
    openBrowser: (url) => openBrowser(url, environment),
  };
}

function sink(stream: Output): Sink {
  return {
    async write(text) {
      if (!stream.write(text)) await once(stream, 'drain');
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
  };
}

/** The system's URL opener. The URL is one argument, without a shell. Resolves with false without a display. */
function openBrowser(url: string, environment: CliRuntime['environment']): Promise<boolean> {
  const command = opener(environment);
  if (command === undefined) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function opener(environment: CliRuntime['environment']): readonly [string, ...string[]] | undefined {
  // Users name their browser in BROWSER.
  const chosen = environment['BROWSER'] ?? '';
  if (chosen !== '') return [chosen];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDisplay = [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some((each) => (each ?? '') !== '');
  return hasDisplay ? ['xdg-open'] : undefined;
}
