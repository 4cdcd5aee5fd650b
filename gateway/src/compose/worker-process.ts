/** One worker's process, as its supervisor begins it and speaks to it. */

import type { Config } from '../config/config.ts';
import { settledWithin } from '../platform/settled-within.ts';
import type { WorkerHandle } from '../platform/supervision/supervisor.ts';
import { wholeLines } from '../platform/whole-lines.ts';
import type { Launch } from './surroundings.ts';
import type { ToSupervisor, ToWorker } from './worker-messages.ts';

export type WorkerCommand = {
  readonly words: readonly string[];
  /** For the worker of this number. */
  readonly environment: (worker: number) => Readonly<Record<string, string | undefined>>;
};

/** For what a process wrote last to be read after its end. */
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
  // Their lines come through here one after another: written by themselves, long ones could be mixed.
  const written = wholeLines(child.stdout, writeLog);
  const tell = async (message: ToWorker) => {
    await listening.promise;
    try {
      child.send(message);
    } catch {
      // Who has ended meanwhile, or has closed the channel and ends by itself, hears nothing.
    }
  };
  void tell({ kind: 'begin', config });
  return {
    pid: child.pid,
    serving: serving.promise,
    ended: child.exited.then(async () => {
      // What it has begun itself may have inherited the pipe, and keep it open.
      await settledWithin(lastLinesMs, written);
      return child.signalCode === null ? child.exitCode : null;
    }),
    drain: (signal) => void tell({ kind: 'drain', signal }),
    kill: () => child.kill('SIGKILL'),
  };
}
