/** The CLI for users: parses the arguments, runs one command and returns its exit code. */

import { settledWithin } from '@flowgate/async/bounded-waits';
import { CommanderError } from 'commander';
import { exitCodes } from './cli-problem.ts';
import { complete } from './completion/complete.ts';
import { createCli, type TypedOptions } from './create-cli.ts';
import { addCommands, createProgram } from './create-program.ts';
import type { Output } from './output/output.ts';
import { reportFailure } from './report-failure.ts';
import type { CliRuntime } from './runtime.ts';
import { completeName } from './user-commands.ts';

/** `args` come from `userArguments`. Returns the exit code: 0, or one of `exitCodes`. Never throws. */
export async function runCli(args: readonly string[], runtime: CliRuntime): Promise<number> {
  if (args[0] === completeName) return complete(args.slice(1), runtime);
  const program = createProgram();
  const cli = createCli(runtime, () => program.opts<TypedOptions>());
  const said: { readonly text: string; readonly isProblem: boolean }[] = [];
  program.configureOutput({
    writeOut: (text) => said.push({ text, isProblem: false }),
    writeErr: (text) => said.push({ text, isProblem: true }),
    getOutHelpWidth: () => Math.min(runtime.stdout.columns ?? 100, 100),
    getErrHelpWidth: () => Math.min(runtime.stderr.columns ?? 100, 100),
    outputError: (text, write) => write(text.replace(/^error: /, 'flowgate: ')),
  });
  // Only the called command's module is loaded; the others are known by name.
  await addCommands(program, cli, (name) => args.includes(name));
  try {
    await untilEnded(program.parseAsync(args, { from: 'user' }), runtime.signal);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    return await reportFailure(cli.output, error, runtime.signal);
  } finally {
    await reportSaid(cli.output, said);
  }
}

/** Prints help or a usage error of commander. */
async function reportSaid(output: Output, said: readonly { readonly text: string; readonly isProblem: boolean }[]) {
  const problem = said.flatMap(({ text, isProblem }) => (isProblem ? [text] : [])).join('');
  const help = said.flatMap(({ text, isProblem }) => (isProblem ? [] : [text])).join('');
  if (help !== '') await output.say(help.trimEnd());
  if (problem === '') return;
  const message = problem.trimEnd().replace(/^flowgate: /, '');
  await output.note(output.isJson() ? JSON.stringify({ error: { kind: 'usage', message } }) : problem.trimEnd());
}

/** Time for a command to clean up after Ctrl-C. */
const graceMs = 2_000;

/** Rejects when the command fails or is interrupted. */
async function untilEnded(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([work, interrupted]);
  if (!signal.aborted) return;
  await settledWithin(graceMs, work);
  signal.throwIfAborted();
}
