/** `flowgate profiles`: lists, selects and deletes saved gateways. */

import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { offer } from '../completion/offers.ts';
import { profileNames } from '../completion/value-sources.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const profilesCommand: UserCommand = (command, cli) => {
  command.description(
    'Manage profiles. Each contains the address of a gateway and the credentials for it, in a file that only its owner can read.',
  );
  examples(command, [
    ['flowgate profiles list', 'all profiles; the current one is marked'],
    ['flowgate profiles use work', 'commands call the gateway of `work` from now on'],
    ['flowgate profiles remove work', 'delete it; run `logout` first to end the sign-in at the issuer'],
  ]);
  command
    .command('list')
    .description('List the profiles, without credentials.')
    .action(() => list(cli));
  const use = command
    .command('use')
    .description('Select the current profile.')
    .argument('<name>', 'name of the profile')
    .action(async (name: string) => {
      known(cli, name);
      cli.profiles.use(name);
      await cli.output.answer({ current: name }, () => cli.output.say(`Commands now call the gateway of ${name}.`));
    });
  const remove = command
    .command('remove')
    .description('Delete a profile with its credentials.')
    .argument('<name>', 'name of the profile')
    .action(async (name: string) => {
      known(cli, name);
      cli.profiles.remove(name);
      await cli.output.answer({ removed: name }, () => cli.output.say(`The profile ${name} is deleted.`));
    });
  for (const each of [use, remove]) offer(each, { name: profileNames });
};

function known({ profiles }: Cli, name: string): void {
  if (!profiles.names().includes(name))
    throw new CliProblem('usage', `there is no profile ${name}`, 'flowgate profiles list shows all of them.');
}

async function list({ output, profiles }: Cli): Promise<void> {
  const current = profiles.current();
  const data = profiles.names().flatMap((name) => {
    const profile = profiles.read(name);
    if (profile === undefined) return [];
    const { url, signIn, apiKey } = profile;
    const facts = { name, url, current: name === current, signedIn: signIn !== undefined };
    return [apiKey === undefined ? facts : { ...facts, keyId: apiKey.keyId }];
  });
  await output.answer({ data }, () =>
    output.table(
      data,
      [
        { title: '', of: (row) => (row.current ? '*' : '') },
        { title: 'PROFILE', of: ({ name }) => name },
        { title: 'GATEWAY', of: ({ url }) => url, flexible: true },
        { title: 'SIGNED IN', of: ({ signedIn }) => (signedIn ? 'yes' : 'no') },
        { title: 'API KEY', of: (row) => ('keyId' in row ? row.keyId : '') },
      ],
      'There are no profiles. flowgate login https://rpc.example.com makes one.',
    ),
  );
}
