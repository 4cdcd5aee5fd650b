/** The command line for users: reads what was typed, runs one command, and ends with its exit code. */

import { createFlowgate } from '@flowgate/client';
import { Command, CommanderError } from 'commander';
import { settledWithin } from '../platform/settled-within.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Cli } from './cli.ts';
import { exitCodes } from './cli-problem.ts';
import { createOutput } from './output/output.ts';
import { connect } from './profiles/connection.ts';
import type { Profile } from './profiles/profile.ts';
import { createProfiles } from './profiles/profiles.ts';
import type { CliSurroundings } from './surroundings.ts';
import { tellFailure } from './tell-failure.ts';
import { userCommands } from './user-commands.ts';

/** `args` as `userArguments` gave them. The exit code: 0, or one of `exitCodes`. Never throws because of what was typed or answered. */
export async function runCli(args: readonly string[], surroundings: CliSurroundings): Promise<number> {
  const program = createProgram();
  const cli = createCli(surroundings, program);
  const said: { readonly text: string; readonly isProblem: boolean }[] = [];
  program.configureOutput({
    writeOut: (text) => said.push({ text, isProblem: false }),
    writeErr: (text) => said.push({ text, isProblem: true }),
    getOutHelpWidth: () => Math.min(surroundings.stdout.columns ?? 100, 100),
    getErrHelpWidth: () => Math.min(surroundings.stderr.columns ?? 100, 100),
    outputError: (text, write) => write(text.replace(/^error: /, 'flowgate: ')),
  });
  // Only the command that is asked for is loaded; the others are known by their names.
  for (const entry of userCommands) {
    const command = program.command(entry.name).summary(entry.summary).description(entry.summary);
    if (args.includes(entry.name)) (await entry.load())(command, cli);
  }
  try {
    await untilEnded(program.parseAsync(args, { from: 'user' }), surroundings.signal);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    return await tellFailure(cli.output, error, surroundings.signal);
  } finally {
    // What commander says is made of what was typed.
    for (const { text, isProblem } of said)
      await (isProblem ? cli.output.note(text.trimEnd()) : cli.output.say(text.trimEnd()));
  }
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

/** Without commands. Its options may stand before a command's name and behind it. */
function createProgram(): Command {
  return new Command('flowgate')
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .option('--json', 'one JSON document on standard output, problems as JSON on standard error')
    .option('--profile <name>', 'the profile to use; by default the one that `profiles use` names')
    .option('--url <url>', 'the gateway to ask; only credentials that were made for it are sent')
    .option('--no-color', 'no colours; NO_COLOR does the same');
}

function createCli(surroundings: CliSurroundings, program: Command): Cli {
  const { environment, stdout, stderr, clock, randomBytes } = surroundings;
  const typed = () => program.opts<{ json?: true; profile?: string; url?: string; color: boolean }>();
  const output = createOutput({
    ...{ stdout, stderr, environment },
    isJson: () => typed().json === true,
    isPlain: () => !typed().color,
  });
  const profiles = createProfiles({
    ...surroundings,
    writes: () => ({ random: randomBytes, now: clock.now() }),
    warn: (text) => void output.note(`flowgate: ${text}`, 'yellow'),
  });
  const fetch = boundedFetch(surroundings.fetch, surroundings.signal);
  // The issuer's client is loaded when a token has to be renewed, or may have to be.
  const tokenOf = (name: string, profile: Profile) => {
    let present: (() => Promise<string>) | undefined;
    return async () => {
      present ??= (await import('./sign-in/renew-sign-in.ts')).presentToken(
        { surroundings, profiles, fetch },
        name,
        profile,
      );
      return present();
    };
  };
  const cli: Cli = {
    ...{ surroundings, output, profiles },
    asked: typed,
    connect: async (...kinds) => connect({ environment, profiles, presentToken: tokenOf }, typed(), kinds),
    async client(...kinds) {
      const { url, credential } = await cli.connect(...kinds);
      return createFlowgate({ ...credential, url, fetch });
    },
  };
  return cli;
}
