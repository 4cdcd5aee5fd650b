/** `flowgate whoami`: the gateway, the credential, and the user behind it. */

import { examples, type UserCommand } from '../user-command.ts';

export const whoamiCommand: UserCommand = (command, cli) => {
  command.description('Show the gateway, the credential that is used, and the user that it belongs to.');
  examples(command, [
    ['flowgate whoami', 'with the current profile'],
    ['flowgate whoami --json', 'as JSON'],
  ]);
  command.action(async () => {
    const { url, kind, source } = await cli.connect('token', 'apiKey');
    const found = await (await cli.client('token', 'apiKey')).whoAmI();
    const { output } = cli;
    await output.answer({ gateway: url, source, ...found }, async () => {
      await output.say(found.userId + (found.isAdmin ? ' (administrator)' : ''), 'bold');
      await output.say(`at ${url}, by ${kind === 'token' ? 'an access token' : 'an API key'} of ${sourceName(source)}`);
      await output.say(`${found.requestsPerMinute} requests a minute, over all of your keys and tokens`, 'dim');
    });
  });
};

function sourceName(source: { readonly environment: string } | { readonly profile: string }): string {
  return 'environment' in source ? source.environment : `the profile ${source.profile}`;
}
