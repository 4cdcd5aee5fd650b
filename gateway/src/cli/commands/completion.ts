/** `flowgate completion`: the script that teaches a shell to complete; and `complete`, which that script asks. */

import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Cli } from '../cli.ts';
import { candidates } from '../completion/candidates.ts';
import { type Shell, shellScripts, shells } from '../completion/shell-scripts.ts';
import { createCli } from '../create-cli.ts';
import { addCommands, createProgram } from '../create-program.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const completionCommand: UserCommand = (command, cli) => {
  command
    .description(
      'Prints the script by which a shell completes commands, options, and values such as the ids of your keys, networks and nodes.',
    )
    .addArgument(new Argument('<shell>', 'which one').choices(shells));
  examples(command, [
    ['source <(flowgate completion bash)', 'in ~/.bashrc'],
    ['source <(flowgate completion zsh)', 'in ~/.zshrc, behind compinit'],
    ['flowgate completion fish | source', 'in ~/.config/fish/config.fish'],
  ]);
  command.action((shell: Shell) => cli.output.raw(shellScripts[shell]));
};

/** Hidden: for the scripts. Prints a line for each candidate, value and description with a tab between. */
export const completeCommand: UserCommand = (command, cli) => {
  command
    .addArgument(new Argument('<shell>').choices(shells))
    .argument('[words...]')
    .action(async (shell: Shell, words: readonly string[]) => {
      const typed = shell === 'bash' ? rejoined(words) : words;
      // With the gateway and the profile that the line names.
      const asked = createCli(cli.surroundings, () => ({ color: false, ...namedIn(typed) }));
      const found = await candidates(await programFor(cli, typed), asked, typed);
      const lines = found.map(({ value, description = '' }) => `${inShell(shell, value)}\t${description}\n`);
      await cli.output.raw(lines.join(''));
    });
};

function namedIn(words: readonly string[]): { readonly profile?: string; readonly url?: string } {
  const valueFor = (option: string) => {
    const at = words.lastIndexOf(option, -2);
    const inline = words.slice(0, -1).findLast((word) => word.startsWith(`${option}=`));
    return at >= 0 ? words[at + 1] : inline?.slice(option.length + 1);
  };
  const [profile, url] = [valueFor('--profile'), valueFor('--url')];
  return { ...(profile === undefined ? {} : { profile }), ...(url === undefined ? {} : { url }) };
}

async function programFor(cli: Cli, words: readonly string[]): Promise<Command> {
  const program = createProgram();
  await addCommands(program, cli, (name) => words.includes(name));
  return program;
}

/** Bash takes `=` for a word of its own. */
function rejoined(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [at, word] of words.entries()) {
    const isValue = words[at - 1] === '=' && words[at - 2]?.startsWith('--') === true;
    if ((word === '=' && words[at - 1]?.startsWith('--') === true) || isValue)
      joined.push(`${joined.pop() ?? ''}${word}`);
    else joined.push(word);
  }
  return joined;
}

/** Where bash wants the value alone, behind the `=`. */
function inShell(shell: Shell, value: string): string {
  return shell === 'bash' && value.startsWith('--') && value.includes('=')
    ? value.slice(value.indexOf('=') + 1)
    : value;
}
