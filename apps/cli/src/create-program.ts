/** The CLI's options and commands. */

import { Command } from 'commander';
import type { Cli } from './cli.ts';
import { userCommands } from './user-commands.ts';

/** Creates the program without commands. Its options may precede or follow a command's name. */
export function createProgram(): Command {
  return new Command('flowgate')
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .option('--json', 'one JSON document on standard output, errors as JSON on standard error')
    .option('--profile <name>', 'profile to use; default: the one selected with `profiles use`')
    .option('--url <url>', 'gateway to call; only credentials issued for it are sent')
    .option('--no-color', 'no colors; NO_COLOR does the same');
}

/** Commands that are not `wanted` are added with name and summary only; their modules are not loaded. */
export async function addCommands(program: Command, cli: Cli, wanted: (name: string) => boolean): Promise<void> {
  for (const { name, summary, load } of userCommands) {
    const command = program.command(name).summary(summary).description(summary);
    if (wanted(name)) (await load())(command.helpCommand(false), cli);
  }
}
