/** A command of the CLI for users: its description for commander, and its action. */

import type { Command } from 'commander';
import type { Cli } from './cli.ts';

/**
 * Completes `command`, which has the entry's name and summary, with arguments, options, subcommands, `examples` and the action. An action returns when it is
 * done. It throws `CliProblem` for problems that the user can solve, or the client's error; `report-failure` converts both to a message and the exit code.
 */
export type UserCommand = (command: Command, cli: Cli) => void;

/** Examples at the end of a command's `--help`: the command to type, and its effect. */
export function examples(command: Command, lines: readonly (readonly [typed: string, does: string])[]): void {
  const width = Math.max(...lines.map(([typed]) => typed.length));
  const shown = lines.map(([typed, does]) => `  ${typed.padEnd(width)}  ${does}`);
  command.addHelpText('after', `\nExamples:\n${shown.join('\n')}`);
}
