/** Controls a benchmark's generator process. */
import { fileURLToPath } from 'node:url';
import {
  type GeneratorCommand,
  type GeneratorReport,
  isGeneratorReport,
  type LoadJob,
  type LoadPace,
  type LoadResult,
} from './load-job.ts';

export type Generator = {
  readonly pid: number;
  /** Opens the job's connections and warms up. Rejects when an answer is wrong. */
  readonly prepare: (job: LoadJob) => Promise<void>;
  /** Measures the prepared job; may be repeated. Rejects when an answer is wrong. */
  readonly measure: (pace: LoadPace) => Promise<LoadResult>;
  /** Closes the connections. */
  readonly release: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export function startGenerator(): Generator {
  let waiting: PromiseWithResolvers<GeneratorReport> | undefined;
  const child = Bun.spawn([process.execPath, fileURLToPath(new URL('./generator.ts', import.meta.url))], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: unknown) => {
      if (isGeneratorReport(message)) waiting?.resolve(message);
    },
    onExit: () => waiting?.reject(new Error('the load generator ended')),
  });
  const ask = async <K extends GeneratorReport['kind']>(
    command: GeneratorCommand,
    kind: K,
  ): Promise<Extract<GeneratorReport, { kind: K }>> => {
    waiting = Promise.withResolvers<GeneratorReport>();
    child.send(command);
    const report = await waiting.promise;
    if (isOfKind(report, kind)) return report;
    throw new Error(report.kind === 'failed' ? report.message : `the load generator reported ${report.kind}`);
  };
  return {
    pid: child.pid,
    prepare: async (job) => void (await ask({ kind: 'prepare', job }, 'ready')),
    measure: async (pace) => (await ask({ kind: 'measure', pace }, 'measured')).result,
    release: async () => void (await ask({ kind: 'release' }, 'released')),
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

function isOfKind<K extends GeneratorReport['kind']>(
  report: GeneratorReport,
  kind: K,
): report is Extract<GeneratorReport, { kind: K }> {
  return report.kind === kind;
}
