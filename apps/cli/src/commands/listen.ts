/** `flowgate listen`: delivers webhooks to the developer's machine, which the gateway cannot reach. */

import { InvalidArgumentError } from 'commander';
import { forwardEvents, type ListenOptions, secretVariable } from '../listen/forward-events.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const listenCommand: UserCommand = (command, cli) => {
  command
    .description(
      `Forward the events of your sessions to an address of this machine, with the body, headers and signature of a webhook. The secret is ${secretVariable}, or a new one that is printed.`,
    )
    .requiredOption('--forward-to <url>', 'port or URL of the receiver')
    .option('--app <publisher/slug>', 'only sessions of this app; repeatable', gathered, [])
    .option('--event <type>', 'only events of this type; repeatable', gathered, [])
    .option(
      '--replay <place>',
      'first send past events, since a time (10m, 2h, 2026-11-23T10:00:00Z) or from an event (evt_…)',
    )
    .option('--no-follow', 'end after the replay')
    .option('--poll <seconds>', 'interval at which new sessions are discovered', seconds, 2);
  examples(command, [
    ['flowgate listen --forward-to 3001/hook', 'to http://127.0.0.1:3001/hook'],
    ['flowgate listen --forward-to 3001 --event session_completed', 'only one type of event'],
    ['flowgate listen --forward-to 3001 --replay 1h --no-follow', 'the events of the last hour'],
  ]);
  command.action((options: ListenOptions) => forwardEvents(cli, options));
};

function gathered(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function seconds(text: string): number {
  const value = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (value < 0.1) throw new InvalidArgumentError('It is a number of seconds, 0.1 or more.');
  return value;
}
