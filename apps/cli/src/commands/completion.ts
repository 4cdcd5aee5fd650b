/** `flowgate completion`: the script that teaches a shell to complete. */

import { Argument } from 'commander';
import { type Shell, shellScripts, shells } from '../completion/shell-scripts.ts';
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
