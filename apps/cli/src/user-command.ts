/** What a command of the command line for users is: a description for commander, with the action that it runs. */

import type { Command } from 'commander';
import type { Cli } from './cli.ts';

/**
 * Fills in `command`, which has the entry's name and summary: arguments, options, subcommands, `examples`, and the action. An action returns when it is done and
 * throws otherwise: `CliProblem` for what the person can act on, or what the client throws; `tell-failure` turns that into words and the exit code.
 */
export type UserCommand = (command: Command, cli: Cli) => void;

/** Examples at the end of a command's `--help`: what to type, and what it does. */
export function examples(command: Command, lines: readonly (readonly [typed: string, does: string])[]): void {
  const width = Math.max(...lines.map(([typed]) => typed.length));
  const shown = lines.map(([typed, does]) => `  ${typed.padEnd(width)}  ${does}`);
  command.addHelpText('after', `\nExamples:\n${shown.join('\n')}`);
}
