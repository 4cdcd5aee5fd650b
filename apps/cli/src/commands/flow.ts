/** `flowgate flow`: walks through Flow Apps. */

import { InvalidArgumentError } from 'commander';
import { passwordVariable } from '../flow/key-file.ts';
import { runApp } from '../flow/run-app.ts';
import type { RunOptions } from '../flow/walk.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const flowCommand: UserCommand = (command, cli) => {
  command.description('Walks through Flow Apps, at a terminal or for a program.');
  const run = command
    .command('run')
    .argument('[app]', 'publisher/slug')
    .description(
      `Walks through an app step by step: asks for each field, signs prepared transactions and payments with a key file, or prints them to be signed elsewhere. Without a terminal what is missing is named. An encrypted key file's password is asked for, or ${passwordVariable}.`,
    )
    .option('--set <field=value>', 'the value of a field, or step.field=value; may be repeated', gathered, [])
    .option('--set-file <field=path>', 'the same from a file, for secrets', gathered, [])
    .option('--action <id>', 'the action to take, or step.action; may be repeated', gathered, [])
    .option('--session <id>', 'goes on with a session, in place of an app')
    .option('--app-version <version>', 'by default the latest')
    .option('--start-step <id>', "by default the app's first")
    .option('--key-file <path>', 'a JSON keystore, or a private key that its owner alone can read')
    .option('--yes', 'signs prepared transactions without asking')
    .option('--pay-up-to <amount>', "with --pay-with: pays what costs no more, in the token's smallest units, unasked")
    .option('--pay-with <token>', 'the token that --pay-up-to is about, such as eip155:8453/0x8335…')
    .option('--wait <seconds>', 'how long a step that waits is looked at again', seconds, 600);
  examples(run, [
    ['flowgate flow run acme/guestbook', 'with questions'],
    ['flowgate flow run acme/guestbook --set name=Ada --json', 'without, one JSON object a line'],
    ['flowgate flow run acme/pay --key-file key.json', 'transactions and payments are signed here'],
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
