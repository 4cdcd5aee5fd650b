/** Starts several processes on one port (`server.workers`): each worker is a whole gateway, and this process only supervises them (docs/decisions/0069). */

import type { Config } from '../config/config.ts';
import { listenFailure } from '../platform/listen-failure.ts';
import { Supervisor } from '../platform/supervision/supervisor.ts';
import { createSurroundings, type Launch } from './surroundings.ts';
import { beginWorker, type WorkerCommand } from './worker-process.ts';

/** Milliseconds for a worker whose drain has used up its time to write its last log lines. */
const graceMs = 10_000;

/** @throws when the port is taken. A worker could not find out, because it shares the port with any process of the same user. */
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
