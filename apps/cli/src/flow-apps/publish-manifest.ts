/** `flowgate apps publish`: shows the changes, registers a new app, and publishes the version. */

import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { readManifest, readManifestFile } from './manifest-file.ts';
import { comparePublication, type Publication } from './publication.ts';
import { secretVariable, signingSecretFor } from './signing-secret.ts';
import { sayProblems } from './validate-manifest.ts';

export type PublishOptions = { readonly baseUrl?: string; readonly dryRun?: true };

export async function publishManifest(cli: Cli, file: string, { baseUrl, dryRun }: PublishOptions): Promise<void> {
  const { output, runtime } = cli;
  const read = readManifest(readManifestFile(file), baseUrl);
  if (!read.ok) {
    await output.answer({ file, valid: false, problems: read.problems }, () => sayProblems(cli, file, read.problems));
    throw new CliProblem('refused', '');
  }
  const { manifest } = read;
  const { app, version } = manifest;
  const signingSecret = signingSecretFor(file, runtime.environment);
  const client = await cli.client('token', 'apiKey');
  const publication = await comparePublication(client, manifest);
  const { state, before, changes, ignoredChanges } = publication;
  const facts = { appId: app.appId, version: version.version, before: before?.version, changes, kept: ignoredChanges };
  if (state === 'published')
    return output.answer({ ...facts, published: false, isThere: true }, () =>
      output.say(`${app.appId} ${version.version} is already published without differences.`),
    );
  if (state === 'taken')
    throw new CliProblem(
      'refused',
      `${app.appId} has a version ${version.version} already, and a version is never changed`,
      `Set the next version in ${file}.`,
    );
  if (!output.isJson()) await sayChanges(cli, publication, `${app.appId} ${version.version}`);
  if (dryRun === true)
    return output.answer({ ...facts, published: false, isThere: false }, () =>
      output.say('Nothing was published.', 'dim'),
    );
  if (publication.app === undefined) await client.flow.apps.register(app);
  const published = await client.flow.versions.publish(app.appId, {
    ...version,
    ...(signingSecret === undefined ? {} : { signingSecret }),
  });
  await output.answer({ ...facts, published: true, isThere: true, result: published }, async () => {
    await output.say(`${published.appId} ${published.version} is published.`, 'green');
    if (published.signingSecret === undefined) return;
    await output.say(
      `The gateway created its signing secret, which is shown only once. Pass it to the app as ${secretVariable}:`,
    );
    await output.say(published.signingSecret, 'bold');
  });
}

async function sayChanges(
  { output }: Cli,
  { app, before, changes, ignoredChanges }: Publication,
  name: string,
): Promise<void> {
  if (app === undefined) await output.say(`${name}: a new app, registered with its first version`, 'bold');
  else
    await output.say(
      before === undefined ? `${name}: no version is active` : `${name}, after ${before.version}:`,
      'bold',
    );
  const styles = { '+': 'green', '-': 'red' } as const;
  for (const change of changes)
    await output.say(
      `  ${change}`,
      change.startsWith('+') ? styles['+'] : change.startsWith('-') ? styles['-'] : undefined,
    );
  if (before !== undefined && changes.length === 0) await output.say('  only the version number', 'dim');
  for (const member of ignoredChanges) await output.note(`The registry does not change the app's ${member}.`, 'yellow');
}
