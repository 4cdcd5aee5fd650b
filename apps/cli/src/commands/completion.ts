/** `flowgate completion`: prints a shell's completion script. */

import { Argument } from 'commander';
import { type Shell, shellScripts, shells } from '../completion/shell-scripts.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const completionCommand: UserCommand = (command, cli) => {
  command
    .description(
      'Print the completion script of a shell, for commands, options, and values such as ids of keys, networks and nodes. The gateway is asked for values for at most two seconds.',
    )
    .addArgument(new Argument('<shell>', 'name of the shell').choices(shells));
  examples(command, [
    ['source <(flowgate completion bash)', 'in ~/.bashrc'],
    ['source <(flowgate completion zsh)', 'in ~/.zshrc, after compinit'],
    ['flowgate completion fish | source', 'in ~/.config/fish/config.fish'],
  ]);
  command.action((shell: Shell) => cli.output.raw(shellScripts[shell]));
};
