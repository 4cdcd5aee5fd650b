/** Starts the process of one worker, and exchanges messages with it. */

import { settledWithin } from '@flowgate/async/bounded-waits';
import type { MetricsSnapshot } from '@flowgate/telemetry/metrics/snapshot';
import type { Config } from '../../config/config.ts';
import type { Launch } from '../runtime.ts';
import { Asking } from './process-questions.ts';
import type { WorkerHandle } from './supervisor.ts';
import type { ToSupervisor, ToWorker } from './worker-messages.ts';

export type WorkerCommand = {
  readonly words: readonly string[];
  /** The environment variables for the worker of this number. */
  readonly environment: (worker: number) => Readonly<Record<string, string | undefined>>;
};

export type WorkerDeps = Pick<Launch, 'writeLog'> & {
  /** The listening socket that it inherits. */
  readonly listenFd: number;
  /** The last metrics of a worker that ends. */
  readonly lastMetrics: (metrics: MetricsSnapshot) => void;
  /** The numbers of the other workers that cannot serve. */
  readonly unreadyOthers: () => Promise<readonly number[]>;
};

export type RunningWorker = WorkerHandle & {
  /** Undefined when it does not answer in time, or counts nothing. */
  readonly metrics: () => Promise<MetricsSnapshot | undefined>;
  /** False also when it does not answer in time. */
  readonly ready: () => Promise<boolean>;
};

/** Milliseconds to read the last output of a process after its end. */
const lastLinesMs = 1_000;
/** Milliseconds for a worker to answer a question. */
const answerMs = 1_000;

export function beginWorker(worker: number, config: Config, deps: WorkerDeps, command: WorkerCommand): RunningWorker {
  const listening = Promise.withResolvers<void>();
  const serving = Promise.withResolvers<void>();
  const child = Bun.spawn([...command.words], {
    stdio: ['ignore', 'pipe', 'inherit', deps.listenFd],
    env: command.environment(worker),
    ipc: (message: ToSupervisor) => {
      if (message.kind === 'serving') serving.resolve();
      else if (message.kind === 'listening') listening.resolve();
      else if (message.kind === 'last-metrics') deps.lastMetrics(message.metrics);
      else if (message.kind === 'answer') asking.answered(message);
      else void deps.unreadyOthers().then((value) => report({ kind: 'answer', id: message.id, value }));
    },
  });
  // All workers' lines are written by this process, one after another: written to one pipe by several processes, long lines could be mixed.
  const written = wholeLines(child.stdout, deps.writeLog);
  const report = async (message: ToWorker) => {
    await listening.promise;
    try {
      child.send(message);
    } catch {
      // The worker has ended, or has closed the channel and ends by itself.
    }
  };
  const asking = new Asking<'metrics' | 'ready'>((question) => void report(question), answerMs);
  void report({ kind: 'begin', config });
  return {
    pid: child.pid,
    serving: serving.promise,
    ended: child.exited.then(async () => {
      asking.end();
      // A process that the worker started may have inherited the pipe and keep it open.
      await settledWithin(lastLinesMs, written);
      return child.signalCode === null ? child.exitCode : null;
    }),
    drain: (signal) => void report({ kind: 'drain', signal, handsOver: false }),
    handOver: (signal) => void report({ kind: 'drain', signal, handsOver: true }),
    kill: () => child.kill('SIGKILL'),
    metrics: async () => snapshotOf(await asking.ask('metrics')),
    ready: async () => (await asking.ask('ready')) === true,
  };
}

/** The message comes from a process of this program. */
function snapshotOf(value: unknown): MetricsSnapshot | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Writes the text of a stream as it arrives, in whole lines. Resolves at the end of the stream; the text after the last line end is written as a line. Never rejects. */
export async function wholeLines(stream: ReadableStream<Uint8Array>, write: (lines: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const piece of stream) {
      const text = decoder.decode(piece, { stream: true });
      const end = text.lastIndexOf('\n') + 1;
      if (end > 0) {
        write(rest + text.slice(0, end));
        rest = text.slice(end);
      } else rest += text;
    }
  } catch {
    // The stream failed: what has arrived is everything there is.
  }
  if (rest !== '') write(`${rest}\n`);
}
