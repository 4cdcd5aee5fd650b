/** The load generator's process: it takes commands over IPC, so that its CPU time is measured apart from the server's. */
import { type GeneratorCommand, type GeneratorReport, isGeneratorCommand } from './load-job.ts';
import { LoadRun } from './load-run.ts';

let run: LoadRun | undefined;

async function obey(command: GeneratorCommand): Promise<GeneratorReport> {
  if (command.kind === 'prepare') {
    run?.close();
    run = new LoadRun(command.job, Bun.nanoseconds);
    await run.prepare();
    return { kind: 'ready' };
  }
  if (command.kind === 'release') {
    run?.close();
    run = undefined;
    return { kind: 'released' };
  }
  if (run === undefined) throw new Error('nothing was prepared');
  return { kind: 'measured', result: await run.measure(command.pace) };
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message: unknown) => {
  if (!isGeneratorCommand(message)) return;
  obey(message)
    .catch(
      (error: unknown): GeneratorReport => ({
        kind: 'failed',
        message: error instanceof Error ? error.message : String(error),
      }),
    )
    .then((report) => process.send?.(report));
});
