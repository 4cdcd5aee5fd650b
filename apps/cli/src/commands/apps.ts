/** `flowgate apps`: makes, checks, publishes and retires Flow Apps. */

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
  command.description('Makes a new Flow App, checks it, publishes versions of it, and retires them.');
  const init = command
    .command('init')
    .argument('<directory>', 'a new or empty directory')
    .option('--app-id <publisher/slug>', "by default acme and the directory's name")
    .description('Writes a TypeScript app that runs, with its test, README and manifest.');
  examples(init, [
    ['flowgate apps init guestbook --app-id acme/guestbook', 'then: cd guestbook, npm install, npm test'],
  ]);
  init.action((directory: string, options: { appId?: string }) => initDirectory(cli, directory, options));

  const validate = command
    .command('validate')
    .argument('[file]', 'the manifest', manifestName)
    .description(
      'Checks a manifest without a gateway, each problem with its line. With --url, here the address of an app that is running, also that app: its signatures, and its first steps held against the contract.',
    );
  examples(validate, [
    ['flowgate apps validate', 'flow-app.yaml of this directory'],
    ['flowgate apps validate --url http://127.0.0.1:3000', 'and the app that runs there, signed with SIGNING_SECRET'],
  ]);
  // The one command that asks no gateway: `--url`, which all take, names the app.
  validate.action((file: string) => validateManifest(cli, file, cli.asked().url));

  const publish = command
    .command('publish')
    .argument('[file]', 'the manifest', manifestName)
    .option('--base-url <url>', "in place of the manifest's baseUrl")
    .option('--dry-run', 'only show what would change')
    .description(
      'Publishes a version, and registers the app when it is its first. The signing secret is SIGNING_SECRET of the environment or of .env beside the manifest.',
    );
  examples(publish, [
    ['flowgate apps publish --dry-run', 'what would change'],
    ['flowgate apps publish --base-url https://guestbook.example.com', 'the version for production'],
  ]);
  publish.action((file: string, options: { baseUrl?: string; dryRun?: true }) => publishManifest(cli, file, options));

  const retire = command
    .command('retire')
    .argument('<app>', 'publisher/slug')
    .argument('<version>', 'as it was published')
    .description('Retires a version: no session starts with it, and its running ones accept nothing more.');
  examples(retire, [['flowgate apps retire acme/guestbook 1.0.0', 'once nobody walks through it any more']]);
  retire.action((appId: string, version: string) => retireVersion(cli, appId, version));
};

async function initDirectory(cli: Cli, directory: string, { appId }: { readonly appId?: string }): Promise<void> {
  const signingSecret = newSecret(cli.surroundings.randomBytes);
  const made = initApp({ directory, appId, signingSecret, clientVersion });
  await cli.output.answer({ directory: made.directory, appId: made.appId, files: made.files }, async () => {
    await cli.output.say(`${made.appId} is in ${made.directory}`, 'bold');
    await cli.output.say(made.files.map((file) => `  ${file}`).join('\n'));
    await cli.output.say(`\ncd ${directory} && npm install && npm test && npm start`);
  });
}

async function retireVersion(cli: Cli, appId: string, version: string): Promise<void> {
  if (!/^[^/@\s]+\/[^/@\s]+$/.test(appId)) throw new CliProblem('usage', `${appId} is no app: publisher/slug`);
  const client = await cli.client('token', 'apiKey');
  const retired = await client.flow.versions.retire(appId, version);
  await cli.output.answer(retired, async () => {
    await cli.output.say(`${retired.appId} ${retired.version} is retired.`);
    const { latestVersion } = await client.flow.apps.get(appId);
    await cli.output.say(
      latestVersion === undefined ? 'No version of it is active any more.' : `A start gets ${latestVersion} now.`,
      'dim',
    );
  });
}
