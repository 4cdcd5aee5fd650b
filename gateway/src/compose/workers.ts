/** Several processes on one port, where `server.workers` asks for them: each is a whole gateway, and this one only looks after them (docs/decisions/0069). */

import type { Config } from '../config/config.ts';
import { listenFailure } from '../platform/listen-failure.ts';
import { Supervisor, type WorkerHandle } from '../platform/supervision/supervisor.ts';
import { wholeLines } from '../platform/whole-lines.ts';
import { createSurroundings, type Launch } from './surroundings.ts';
import type { ToSupervisor, ToWorker } from './worker-messages.ts';

export type WorkerCommand = {
  readonly words: readonly string[];
  /** For the worker of this number. */
  readonly environment: (worker: number) => Readonly<Record<string, string | undefined>>;
};

/** For a drain that has used up its time to write its last lines. */
const graceMs = 10_000;

/** Throws when the port is taken: a worker could not tell, for it shares the port with whoever else shares it. */
export function openWorkers(config: Config, launch: Launch, command: WorkerCommand): Supervisor {
  const { host: hostname, port, workers, drainSeconds } = config.server;
  try {
    Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
  } catch (cause) {
    throw listenFailure(hostname, port, cause);
  }
  const { clock, log } = createSurroundings(config, launch);
  return new Supervisor({
    workers,
    begin: (worker) => beginWorker(worker, config, launch, command),
    clock,
    sleep: Bun.sleep,
    drainMs: drainSeconds * 1000 + graceMs,
    report: {
      died({ worker, pid, code, againInMs }) {
        log.error('worker.died', { worker, pid, code: code ?? 'a signal', againInMs });
        log.flush();
      },
      serving: () => log.info('workers.serving', { workers, port }),
    },
  });
}

function beginWorker(worker: number, config: Config, { writeLog }: Launch, command: WorkerCommand): WorkerHandle {
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
    // Who has ended meanwhile hears nothing.
    if (child.exitCode === null && child.signalCode === null) child.send(message);
  };
  void tell({ kind: 'begin', config });
  return {
    pid: child.pid,
    serving: serving.promise,
    ended: child.exited.then(async () => {
      await written;
      return child.signalCode === null ? child.exitCode : null;
    }),
    drain: (signal) => void tell({ kind: 'drain', signal }),
    kill: () => child.kill('SIGKILL'),
  };
}
