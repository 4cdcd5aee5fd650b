/** Several processes on one port, where `server.workers` asks for them: each is a whole gateway, and this one only looks after them (docs/decisions/0069). */

import type { Config } from '../config/config.ts';
import { listenFailure } from '../platform/listen-failure.ts';
import { Supervisor } from '../platform/supervision/supervisor.ts';
import { createSurroundings, type Launch } from './surroundings.ts';
import { beginWorker, type WorkerCommand } from './worker-process.ts';

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
