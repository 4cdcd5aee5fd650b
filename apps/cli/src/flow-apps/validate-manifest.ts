/** `flowgate apps validate`: reports the manifest's problems with their lines, and those of a running app. */

import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { checkRunningApp, type RunningAppCheck } from './check-running-app.ts';
import { readManifest, readManifestFile } from './manifest-file.ts';
import type { ManifestProblem } from './manifest-yaml.ts';
import { signingSecretFor } from './signing-secret.ts';

export async function validateManifest(cli: Cli, file: string, url: string | undefined): Promise<void> {
  const read = readManifest(readManifestFile(file), url);
  if (!read.ok) {
    await cli.output.answer({ file, valid: false, problems: read.problems }, () =>
      sayProblems(cli, file, read.problems),
    );
    throw new CliProblem('refused', '');
  }
  const { app, version } = read.manifest;
  const check = url === undefined ? undefined : await running(cli, file, read.manifest, url);
  const findings = check?.findings ?? [];
  const valid = !findings.some(({ isProblem }) => isProblem);
  const reported = check === undefined ? {} : { app: { url, findings, rendered: check.rendered } };
  await cli.output.answer({ file, valid, problems: [], ...reported }, async () => {
    await cli.output.say(`${file}: ${app.appId} ${version.version}, ${version.steps.length} steps`, 'bold');
    for (const { isProblem, message } of findings)
      await cli.output.say(`  ${isProblem ? 'problem' : 'note'}: ${message}`, isProblem ? 'red' : 'yellow');
    for (const stepId of check?.rendered ?? [])
      await cli.output.say(`  the start at ${stepId} conforms to the contract`, 'green');
  });
  if (!valid) throw new CliProblem('refused', '');
}

export async function sayProblems({ output }: Cli, file: string, problems: readonly ManifestProblem[]): Promise<void> {
  for (const { line, column, path, message } of problems)
    await output.say(`${file}:${line}:${column} ${path === '' ? '' : `${path} `}${message}`, 'red');
}

async function running(
  { runtime }: Cli,
  file: string,
  manifest: Parameters<typeof checkRunningApp>[0]['manifest'],
  url: string,
): Promise<RunningAppCheck> {
  const secret = signingSecretFor(file, runtime.environment);
  const { signal, clock, randomBytes } = runtime;
  return checkRunningApp({ manifest, secret, signal, now: clock.now, randomBytes, url: url.replace(/\/$/, '') });
}
