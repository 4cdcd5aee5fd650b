/** Starts several processes on one port (`server.workers`): each worker is a whole gateway, and this process supervises them and speaks for all (docs/decisions/0069). */

import { listenFailure } from '@flowgate/http1/server/listen-failure';
import type { ConfigSource } from '../../config/check-config.ts';
import type { Config } from '../../config/config.ts';
import { reloadProblems } from '../../config/reload-problems.ts';
import { listenForMetrics } from '../open-metrics.ts';
import { createRuntime, type Launch } from '../runtime.ts';
import { Crew } from './crew.ts';
import { openPortSockets } from './port-sockets.ts';
import { Supervisor } from './supervisor.ts';
import { beginWorker, type RunningWorker, type WorkerCommand } from './worker-process.ts';

/** Milliseconds for a worker whose drain has used up its time to write its last log lines. */
const graceMs = 10_000;
/** Milliseconds for a replacement to serve. */
const startMs = 60_000;

export type Workers = {
  /** Resolves with the exit code when all have ended. */
  readonly run: () => Promise<number>;
  readonly drain: (signal: string) => void;
  readonly kill: () => void;
  /** Reads the configuration and replaces all workers, one after another; a configuration that cannot be used changes nothing. Never rejects. One call at a time. */
  readonly reload: (read: () => Promise<ConfigSource>) => Promise<void>;
};

/** Rejects when the port is taken. A worker could not find out, because it shares the port with any process of the same user. */
export async function openWorkers(config: Config, launch: Launch, command: WorkerCommand): Promise<Workers> {
  const { host: hostname, port, workers, drainSeconds } = config.server;
  try {
    Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
  } catch (cause) {
    throw listenFailure(hostname, port, cause);
  }
  const sockets = await openPortSockets({ hostname, port }, workers);
  const runtime = createRuntime(config, launch);
  const { clock, log, instruments } = runtime;
  const crew = new Crew(workers);
  listenForMetrics(config, runtime, () => crew.collect(instruments?.snapshot() ?? []));
  const supervisor = new Supervisor<Config>({
    ...{ workers, settings: config, clock, sleep: Bun.sleep, startMs },
    drainMs: drainSeconds * 1000 + graceMs,
    begin(worker, settings) {
      const member: RunningWorker = beginWorker(
        worker,
        settings,
        {
          writeLog: launch.writeLog,
          listenFd: sockets.fds[worker - 1] ?? -1,
          lastMetrics: (metrics) => crew.reported(member, metrics),
          unreadyOthers: async () => (await crew.unready()).filter((other) => other !== worker),
        },
        command,
      );
      crew.add(worker, member);
      return member;
    },
    report: {
      died({ worker, pid, code, againInMs }) {
        log.error('worker.died', { worker, pid, code: code ?? 'a signal', againInMs });
        log.flush();
      },
      serving: () => log.info('workers.serving', { workers, port }),
    },
  });
  const reload = async (read: () => Promise<ConfigSource>) => {
    const verdict = reloadVerdict(config, await read());
    if ('problems' in verdict) {
      log.error('workers.reload-refused', { problems: verdict.problems.join('; ') });
      return;
    }
    log.info('workers.reloading', { workers });
    if (await supervisor.replaceAll(verdict.config)) log.info('workers.reloaded', { workers });
    else log.error('workers.reload-failed', { workers });
  };
  return {
    run: () => supervisor.run(),
    drain(signal) {
      // Refused from the moment on when the last worker has closed its own.
      sockets.close();
      supervisor.drain(signal);
    },
    kill: () => supervisor.kill(),
    reload: (read) => reload(read).finally(() => log.flush()),
  };
}

/** Problems name places and variables, never values. */
function reloadVerdict(
  before: Config,
  source: ConfigSource,
): { readonly config: Config } | { readonly problems: readonly string[] } {
  if (source.kind === 'unreadable') return { problems: [source.reason] };
  const { loaded } = source;
  const problems = loaded.ok ? reloadProblems(before, loaded.config) : loaded.problems;
  if (!loaded.ok || problems.length > 0) return { problems: problems.map(({ path, message }) => `${path} ${message}`) };
  return { config: loaded.config };
}
