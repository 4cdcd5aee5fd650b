/** The command line for users: reads what was typed, runs one command, and ends with its exit code. */

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

/** `args` as `userArguments` gave them. The exit code: 0, or one of `exitCodes`. Never throws because of what was typed or answered. */
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
  // Only the command that is asked for is loaded; the others are known by their names.
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

/** Help, or what is wrong with what was typed, which it is made of. */
async function reportSaid(output: Output, said: readonly { readonly text: string; readonly isProblem: boolean }[]) {
  const problem = said.flatMap(({ text, isProblem }) => (isProblem ? [text] : [])).join('');
  const help = said.flatMap(({ text, isProblem }) => (isProblem ? [] : [text])).join('');
  if (help !== '') await output.say(help.trimEnd());
  if (problem === '') return;
  const message = problem.trimEnd().replace(/^flowgate: /, '');
  await output.note(output.isJson() ? JSON.stringify({ error: { kind: 'usage', message } }) : problem.trimEnd());
}

/** After Ctrl-C a command has this long to put away what it began. */
const graceMs = 2_000;

/** Rejects when the command did, or when it was interrupted. */
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
