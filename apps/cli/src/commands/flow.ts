/** `flowgate flow`: runs Flow Apps. */

import { InvalidArgumentError } from 'commander';
import { passwordVariable } from '../flow/key-file.ts';
import { runApp } from '../flow/run-app.ts';
import type { RunOptions } from '../flow/walk.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const flowCommand: UserCommand = (command, cli) => {
  command.description('Run Flow Apps, interactively or from a program.');
  const run = command
    .command('run')
    .argument('[app]', 'publisher/slug')
    .description(
      `Run an app step by step: ask for each field, and sign prepared transactions and payments with a key file, or print them to be signed elsewhere. Without a terminal, missing values are reported. The password of an encrypted key file is read from the terminal or from ${passwordVariable}.`,
    )
    .option('--set <field=value>', 'value of a field, or step.field=value; repeatable', gathered, [])
    .option('--set-file <field=path>', 'value of a field from a file, for secrets; repeatable', gathered, [])
    .option('--action <id>', 'action to select, or step.action; repeatable', gathered, [])
    .option('--session <id>', 'continue this session instead of starting an app')
    .option('--app-version <version>', 'default: the latest')
    .option('--start-step <id>', "default: the app's first step")
    .option('--key-file <path>', 'JSON keystore, or private key, readable by its owner only')
    .option('--yes', 'sign prepared transactions without confirmation')
    .option(
      '--pay-up-to <amount>',
      "with --pay-with: pay up to this amount, in the token's smallest unit, without confirmation",
    )
    .option('--pay-with <token>', 'token of --pay-up-to, such as eip155:8453/0x8335…')
    .option('--wait <seconds>', 'time to poll a step that is waiting', seconds, 600);
  examples(run, [
    ['flowgate flow run acme/guestbook', 'interactively'],
    ['flowgate flow run acme/guestbook --set name=Ada --json', 'from a program: one JSON object per line'],
    ['flowgate flow run acme/pay --key-file key.json', 'sign transactions and payments locally'],
  ]);
  run.action((app: string | undefined, options: RunOptions) => runApp(cli, app, options));
};

function gathered(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function seconds(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It is a number of seconds.');
  return Number(text);
}
