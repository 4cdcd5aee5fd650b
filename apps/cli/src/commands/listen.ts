/** `flowgate listen`: webhooks on the developer's own machine, which a gateway cannot reach. */

import { InvalidArgumentError } from 'commander';
import { forwardEvents, type ListenOptions, secretVariable } from '../listen/forward-events.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const listenCommand: UserCommand = (command, cli) => {
  command
    .description(
      `Forwards the events of your sessions to an address of your own machine, with body, headers and signature of a webhook. They are signed with ${secretVariable}, or with a secret that is made and printed.`,
    )
    .requiredOption('--forward-to <url>', 'a port, or an address')
    .option('--app <publisher/slug>', 'only sessions of this app; may be repeated', gathered, [])
    .option('--event <type>', 'only events of this type; may be repeated', gathered, [])
    .option(
      '--replay <place>',
      'first what happened since a time (10m, 2h, 2026-11-23T10:00:00Z) or from an event on (evt_…)',
    )
    .option('--no-follow', 'ends after the replay')
    .option('--poll <seconds>', 'how often new sessions are looked for', seconds, 2);
  examples(command, [
    ['flowgate listen --forward-to 3001/hook', 'to http://127.0.0.1:3001/hook'],
    ['flowgate listen --forward-to 3001 --event session_completed', 'one type only'],
    ['flowgate listen --forward-to 3001 --replay 1h --no-follow', 'what happened in the last hour, again'],
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
