/**
 * The process behind `npm start`: settings → data directory → ports → installation → sample apps published → token, key and dev.env → summary. It runs until a
 * signal or the end of its parent.
 */

import { join, resolve } from 'node:path';
import { createFlowgate } from '@flowgate/client';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import { readSavedKey, writeDevEnv } from './dev-env.ts';
import { ensureKey } from './ensure-key.ts';
import { type Installation, root, startInstallation } from './installation.ts';
import { lockDataDirectory } from './lock-data-directory.ts';
import { patiently } from './patiently.ts';
import { publishApp, withdrawApp } from './publish-app.ts';
import { refuseBusyPorts } from './refuse-busy-ports.ts';
import { signIn } from './sign-in.ts';
import { readStartSettings, StartProblem } from './start-settings.ts';
import { startSummary } from './start-summary.ts';

const user = 'alice';
/** Published with `--bridge` only. */
const bridgeAppId = 'flowgate/bridge';
/** The sample apps' publisher. */
const publisher = 'admin';
const parentPollMs = 250;

const started = performance.now();
process.exit(await main(process.argv.slice(2)));

async function main(args: readonly string[]): Promise<number> {
  const asked = whenAskedToEnd();
  let releaseLock = () => {};
  try {
    const settings = readStartSettings(args, process.env);
    const data = resolve(root, settings.dataDirectory);
    releaseLock = lockDataDirectory(data);
    await refuseBusyPorts(settings);
    const installation = await Promise.race([startInstallation(settings, data, say), asked.first]);
    // Some components may be running already: their guards end them when this process exits.
    if (installation === undefined) return 130;
    return await serve(installation, asked);
  } catch (error) {
    const problem = error instanceof StartProblem ? error.message : fileProblem(error);
    if (problem !== undefined) console.error(`\n${problem}`);
    else console.error('\nFlowgate could not be started:', error);
    return 1;
  } finally {
    releaseLock();
  }
}

/** A file or directory that the system refuses is a problem that the user can solve. */
function fileProblem(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error) || typeof error.path !== 'string')
    return undefined;
  const { code, path } = error;
  return `${path} cannot be used (${code}). Correct that, or choose another directory: npm start -- --data DIRECTORY.`;
}

async function serve(installation: Installation, asked: EndRequests): Promise<number> {
  try {
    await publishApps(installation);
    say(`signing in as ${user} …`);
    const { gatewayUrl, nodeProviderUrl, issuer, data } = installation;
    const token = await signIn({ issuer, user });
    const envFile = join(data, 'dev.env');
    const key = await patiently(() => ensureKey({ gatewayUrl, token, user, known: readSavedKey(envFile) }));
    const apiKey = key.kind === 'none' ? undefined : key.apiKey;
    const bridgeFile = installation.bridge === undefined ? undefined : join(data, 'bridge.json');
    const unwritten = writeDevEnv(envFile, { url: gatewayUrl, nodeProviderUrl, bridgeFile, token, apiKey });
    const savedTo = unwritten === undefined ? envFile : `not saved: ${envFile} cannot be written (${unwritten})`;
    const appIds = installation.publications.map(({ app }) => app.appId);
    console.log(startSummary({ ...installation, user, token, key, savedTo, appIds }));
    const crash = await Promise.race([asked.first, installation.crashed]);
    // A terminal sends Ctrl-C to the components as well, and one may end before this process handles it.
    if (crash !== undefined && !asked.isAsked()) throw new StartProblem(crash);
    console.log('\nStopping (once more Ctrl-C: at once) …');
    return 0;
  } finally {
    await Promise.race([installation.stop(), asked.second.then(installation.kill)]);
  }
}

/** Publishes over the gateway's routes, like any publisher. */
async function publishApps({ gatewayUrl, issuer, publications }: Installation): Promise<void> {
  say('publishing the sample Flow Apps …');
  const token = await signIn({ issuer, user: publisher });
  const client = createFlowgate({ url: gatewayUrl, token });
  for (const publication of publications)
    await reported(publication.app.appId, 'published', () => publishApp(client, publication));
  // An earlier start with a rollup published this app; without a rollup it has no server.
  if (!publications.some(({ app }) => app.appId === bridgeAppId))
    await reported(bridgeAppId, 'withdrawn', () => withdrawApp(client, bridgeAppId));
}

async function reported(appId: string, what: string, change: () => Promise<void>): Promise<void> {
  try {
    await patiently(change);
  } catch (error) {
    if (!(error instanceof FlowgateError)) throw error;
    throw new StartProblem(`${appId} could not be ${what}: ${error.message} (${error.status})`);
  }
}

type EndRequests = {
  readonly first: Promise<undefined>;
  readonly second: Promise<undefined>;
  readonly isAsked: () => boolean;
};

/** Resolves at a signal, or when the parent process is gone and can send none. */
function whenAskedToEnd(): EndRequests {
  const first = Promise.withResolvers<undefined>();
  const second = Promise.withResolvers<undefined>();
  let requests = 0;
  const request = () => {
    requests += 1;
    (requests === 1 ? first : second).resolve(undefined);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    if (requests === 0) request();
  }, parentPollMs);
  return { first: first.promise, second: second.promise, isAsked: () => requests > 0 };
}

function say(line: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);
}
