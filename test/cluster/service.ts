/** One process of a cluster, with functions to kill, restart, pause and continue it. */

import { readFile } from 'node:fs/promises';
import { type GuardedProcess, spawnGuarded } from '../../devkit/src/guarded-process.ts';
import { until } from './until.ts';

export type Service = {
  readonly port: number;
  /** Sends SIGKILL. Resolves when the process has ended. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same port. Resolves when it answers. */
  readonly start: () => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
};

export type ProcessService = Service & {
  /** Sends SIGTERM. Resolves with the exit code. */
  readonly terminate: () => Promise<number>;
  readonly log: () => Promise<string>;
  /** The log of each process so far, in the order in which they were started. */
  readonly logs: () => Promise<string[]>;
};

export type ProcessOptions = {
  readonly name: string;
  readonly command: readonly string[];
  readonly port: number;
  readonly directory: string;
  readonly env: Record<string, string | undefined>;
  readonly ready: () => Promise<boolean>;
};

/** A process that is not started yet. It ends with this test process, even when that is killed. */
export function processService({ name, command, port, directory, env, ready }: ProcessOptions): ProcessService {
  let child: GuardedProcess | undefined;
  let starts = 0;
  const logFile = (start = starts) => `${directory}/${name}-${start}.log`;
  const log = (start = starts) => readFile(logFile(start), 'utf8').catch(() => '');
  const signal = (what: NodeJS.Signals) => {
    if (child !== undefined) process.kill(child.pid, what);
  };
  return {
    port,
    log: () => log(),
    logs: () => Promise.all(Array.from({ length: starts }, (_, at) => log(at + 1))),
    async start() {
      starts += 1;
      const started = spawnGuarded(command, { logFile: logFile(), cwd: directory, env });
      child = started;
      let code: number | undefined;
      void started.exited.then((exitCode) => {
        code = exitCode;
      });
      await until(`${name} is ready`, () => code !== undefined || ready());
      if (code !== undefined) throw new Error(`${name} ended with ${code}:\n${(await log()).slice(-2000)}`);
    },
    async kill() {
      await child?.kill();
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async terminate() {
      signal('SIGTERM');
      return (await child?.exited) ?? 0;
    },
  };
}
