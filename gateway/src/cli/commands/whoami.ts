/** `flowgate whoami`: the gateway, the credential, and the user behind it. */

import { examples, type UserCommand } from '../user-command.ts';

export const whoamiCommand: UserCommand = (command, cli) => {
  command.description('Tells which gateway is asked with which credential, and who the gateway takes you for.');
  examples(command, [
    ['flowgate whoami', 'by the current profile'],
    ['flowgate whoami --json', 'the same for programs'],
  ]);
  command.action(async () => {
    const { url, kind, source } = await cli.connect('token', 'apiKey');
    const { id } = await (await cli.client('token', 'apiKey')).me();
    const { output } = cli;
    await output.answer({ gateway: url, user: id, credential: kind, source }, async () => {
      await output.say(id, 'bold');
      await output.say(`at ${url}, by ${kind === 'token' ? 'an access token' : 'an API key'} of ${sourceName(source)}`);
    });
  });
};

function sourceName(source: { readonly environment: string } | { readonly profile: string }): string {
  return 'environment' in source ? source.environment : `the profile ${source.profile}`;
}
