/** Starts the process of one worker, and exchanges messages with it. */

import type { Config } from '../config/config.ts';
import { settledWithin } from '../platform/settled-within.ts';
import type { WorkerHandle } from '../platform/supervision/supervisor.ts';
import { wholeLines } from '../platform/whole-lines.ts';
import type { Launch } from './surroundings.ts';
import type { ToSupervisor, ToWorker } from './worker-messages.ts';

export type WorkerCommand = {
  readonly words: readonly string[];
  /** The environment variables for the worker of this number. */
  readonly environment: (worker: number) => Readonly<Record<string, string | undefined>>;
};

/** Milliseconds to read the last output of a process after its end. */
const lastLinesMs = 1_000;

export function beginWorker(
  worker: number,
  config: Config,
  { writeLog }: Pick<Launch, 'writeLog'>,
  command: WorkerCommand,
): WorkerHandle {
  const listening = Promise.withResolvers<void>();
  const serving = Promise.withResolvers<void>();
  const child = Bun.spawn([...command.words], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    env: command.environment(worker),
    ipc: (message: ToSupervisor) => {
      if (message.kind === 'serving') serving.resolve();
      else listening.resolve();
    },
  });
  // All workers' lines are written by this process, one after another: written to one pipe by several processes, long lines could be mixed.
  const written = wholeLines(child.stdout, writeLog);
  const tell = async (message: ToWorker) => {
    await listening.promise;
    try {
      child.send(message);
    } catch {
      // The worker has ended, or has closed the channel and ends by itself.
    }
  };
  void tell({ kind: 'begin', config });
  return {
    pid: child.pid,
    serving: serving.promise,
    ended: child.exited.then(async () => {
      // A process that the worker started may have inherited the pipe and keep it open.
      await settledWithin(lastLinesMs, written);
      return child.signalCode === null ? child.exitCode : null;
    }),
    drain: (signal) => void tell({ kind: 'drain', signal }),
    kill: () => child.kill('SIGKILL'),
  };
}
