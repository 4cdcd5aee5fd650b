/** `flowgate apps`: creates, checks, publishes and retires Flow Apps. */

import { version as clientVersion } from '@flowgate/client/package.json';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { initApp } from '../flow-apps/init-app.ts';
import { manifestName } from '../flow-apps/manifest-file.ts';
import { publishManifest } from '../flow-apps/publish-manifest.ts';
import { newSecret } from '../flow-apps/signing-secret.ts';
import { validateManifest } from '../flow-apps/validate-manifest.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const appsCommand: UserCommand = (command, cli) => {
  command.description('Create and check Flow Apps, publish their versions and retire them.');
  const init = command
    .command('init')
    .argument('<directory>', 'a new or empty directory')
    .option('--app-id <publisher/slug>', "default: acme/ and the directory's name")
    .description('Create a TypeScript app with a test, a README and a manifest.');
  examples(init, [
    ['flowgate apps init guestbook --app-id acme/guestbook', 'then: cd guestbook && npm install && npm test'],
  ]);
  init.action((directory: string, options: { appId?: string }) => initDirectory(cli, directory, options));

  const validate = command
    .command('validate')
    .argument('[file]', 'the manifest', manifestName)
    .description(
      'Check a manifest without a gateway; each problem is reported with its line. With --url, here the address of a running app, also check its signatures and its first steps.',
    );
  examples(validate, [
    ['flowgate apps validate', 'flow-app.yaml in this directory'],
    ['flowgate apps validate --url http://127.0.0.1:3000', 'also the app at this address, signed with SIGNING_SECRET'],
  ]);
  // The only command that calls no gateway: here the common option `--url` is the app's address.
  validate.action((file: string) => validateManifest(cli, file, cli.asked().url));

  const publish = command
    .command('publish')
    .argument('[file]', 'the manifest', manifestName)
    .option('--base-url <url>', "replaces the manifest's baseUrl")
    .option('--dry-run', 'only show the changes')
    .description(
      'Publish a version, and register the app with its first version. The signing secret is SIGNING_SECRET, from the environment or from .env next to the manifest.',
    );
  examples(publish, [
    ['flowgate apps publish --dry-run', 'show the changes only'],
    ['flowgate apps publish --base-url https://guestbook.example.com', 'publish for production'],
  ]);
  publish.action((file: string, options: { baseUrl?: string; dryRun?: true }) => publishManifest(cli, file, options));

  const retire = command
    .command('retire')
    .argument('<app>', 'publisher/slug')
    .argument('<version>', 'version, as published')
    .description('Retire a version: it starts no new sessions, and its active sessions accept no further steps.');
  examples(retire, [['flowgate apps retire acme/guestbook 1.0.0', 'when it has no active sessions']]);
  retire.action((appId: string, version: string) => retireVersion(cli, appId, version));
};

async function initDirectory(cli: Cli, directory: string, { appId }: { readonly appId?: string }): Promise<void> {
  const signingSecret = newSecret(cli.runtime.randomBytes);
  const made = initApp({ directory, appId, signingSecret, clientVersion });
  await cli.output.answer({ directory: made.directory, appId: made.appId, files: made.files }, async () => {
    await cli.output.say(`${made.appId} is in ${made.directory}`, 'bold');
    await cli.output.say(made.files.map((file) => `  ${file}`).join('\n'));
    await cli.output.say(`\ncd ${directory} && npm install && npm test && npm start`);
  });
}

async function retireVersion(cli: Cli, appId: string, version: string): Promise<void> {
  if (!/^[^/@\s]+\/[^/@\s]+$/.test(appId))
    throw new CliProblem('usage', `${appId} is not an app id: use publisher/slug`);
  const client = await cli.client('token', 'apiKey');
  const retired = await client.flow.versions.retire(appId, version);
  await cli.output.answer(retired, async () => {
    await cli.output.say(`${retired.appId} ${retired.version} is retired.`);
    const { latestVersion } = await client.flow.apps.get(appId);
    await cli.output.say(
      latestVersion === undefined ? 'No version of it is active.' : `New sessions use ${latestVersion}.`,
      'dim',
    );
  });
}
