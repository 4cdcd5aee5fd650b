/**
 * The commands of docs/tutorials/first-flow-app.md and docs/flow-apps.md work: from an empty directory to a published
 * app, webhooks on the author's machine, and the same without the kit.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFlowAppTest, newSigningSecret } from '@flowgate/client/flow-app';
import type { FlowEventPage, Session, Version } from '@flowgate/client/flow-wire';
import { flowgateCommand } from '../../apps/gateway/test/fixtures/flowgate-command.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { page } from '../repository/doc-pages.ts';

const repository = join(import.meta.dir, '../..');
const secrets = { SIGNING_SECRET: newSigningSecret(), WEBHOOK_SECRET: newSigningSecret() };
let gateway: RunningGateway;
let directory: string;
let app: string;
let environment: Record<string, string>;
let served: Program;
let receiver: Program;
let plain: Program;
let made: string;

type Program = { readonly url: string; readonly lines: AsyncIterator<string>; readonly stop: () => Promise<void> };

const pages = ['tutorials/first-flow-app.md', 'flow-apps.md'];

/** The contents of the code blocks that begin with exactly this text. */
async function blocks(opening: string): Promise<readonly string[]> {
  const text = (await Promise.all(pages.map(page))).join('\n');
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, info, code = '']) =>
    info === opening ? [code] : [],
  );
}

async function block(opening: string): Promise<string> {
  const [code = '', ...more] = await blocks(opening);
  expect([opening, code === '', more.length]).toEqual([opening, false, 0]);
  return code;
}

beforeAll(async () => {
  gateway = await startGateway({ config: { outbound: { allowPrivateHosts: ['127.0.0.1'] } } });
  directory = await mkdtemp(join(tmpdir(), 'flowgate-page-'));
  app = join(directory, 'guestbook');
  const { apiKey } = await gateway.mint('ada');
  writeFileSync(join(directory, 'dev.env'), `FLOWGATE_URL=${gateway.url}\nFLOWGATE_API_KEY=${apiKey}\n`);
  await layTools();
  environment = {
    PATH: `${join(directory, 'bin')}:${process.env['PATH'] ?? ''}`,
    XDG_CONFIG_HOME: directory,
    HOME: directory,
    PORT: '0',
  };
  const init = await block('sh init');
  expect(init).toEndWith('npm start\n');
  const { code, stdout, stderr } = await shell(init.replace('npm start\n', ''), directory);
  if (code !== 0) throw new Error(stdout + stderr);
  made = stdout;
  const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  // The app reads its secret from .env.
  served = await start(
    `export PATH="$PWD/node_modules/.bin:$PATH"; ${scripts.start.replace('node ', 'exec node ')}`,
    app,
    {},
  );
  const manifest = join(app, 'flow-app.yaml');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('http://127.0.0.1:3000', served.url));
  writeFileSync(join(app, 'receiver.mjs'), await block('js receiver.mjs'));
  receiver = await start('exec node receiver.mjs', app);
  const [code2 = ''] = await blocks('js guestbook.mjs');
  writeFileSync(join(directory, 'guestbook.mjs'), code2);
  plain = await start('exec node guestbook.mjs', directory);
});
afterAll(async () => {
  for (const program of [served, receiver, plain]) await program?.stop();
  await gateway?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

/** `flowgate`, and an npm whose `install` needs no network: it copies the packages that a registry would deliver. */
async function layTools(): Promise<void> {
  const bin = join(directory, 'bin');
  const packages = join(directory, 'packages');
  const client = join(packages, '@flowgate/client');
  for (const path of [bin, client, join(packages, '@types'), join(packages, '.bin'), join(directory, 'node_modules')])
    mkdirSync(path, { recursive: true });
  const built = Bun.spawn(['node', join(repository, 'scripts/build-client.mjs'), join(client, 'dist')], {
    stdout: 'ignore',
  });
  expect(await built.exited).toBe(0);
  for (const name of ['package.json', 'src'])
    cpSync(join(repository, 'client', name), join(client, name), { recursive: true });
  const types = dirname(Bun.resolveSync('@types/node/package.json', import.meta.dir));
  symlinkSync(types, join(packages, '@types/node'));
  symlinkSync(dirname(Bun.resolveSync('undici-types/package.json', types)), join(packages, 'undici-types'));
  symlinkSync(join(repository, 'node_modules/typescript-native/bin/tsc'), join(packages, '.bin/tsc'));
  const standard = dirname(dirname(Bun.resolveSync('standardwebhooks', import.meta.dir)));
  symlinkSync(standard, join(directory, 'node_modules/standardwebhooks'));
  const npm = Bun.which('npm') ?? 'npm';
  script(
    join(bin, 'npm'),
    `[ "$1" = install ] || exec ${npm} "$@"\nmkdir -p node_modules && cp -R "${packages}/." node_modules/`,
  );
  script(join(bin, 'flowgate'), `exec ${flowgateCommand.map((word) => `'${word}'`).join(' ')} "$@"`);
}

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** A program that prints its address, on a free port. */
async function start(command: string, cwd: string, more: Readonly<Record<string, string>> = secrets): Promise<Program> {
  const child = Bun.spawn(['sh', '-euc', command], {
    cwd,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...environment, ...more },
  });
  const lines = linesOf(child.stdout);
  const { value: first } = await lines.next();
  const [url] = /http:\S+$/.exec(first ?? '') ?? [];
  if (url === undefined) throw new Error(`${command} began with: ${first}`);
  return {
    ...{ url, lines },
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const whole = text.split('\n');
    text = whole.pop() ?? '';
    yield* whole;
  }
}

/** Runs lines in a shell in which an unset variable is an error. */
async function shell(lines: string, cwd: string, more: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn(['sh', '-euc', lines], {
    cwd,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...environment, ...more },
  });
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, stdout, stderr };
}

test('the page shows the app, its test and the commands of its README as `apps init` creates them, and the test passes', async () => {
  expect(made).toContain('# pass 2\n# fail 0');
  for (const name of ['src/app.ts', 'src/app.test.ts'])
    expect(await block(`ts ${name}`)).toBe(readFileSync(join(app, name), 'utf8'));
});

test('the commands of the page validate and publish the app and walk through a session; its signed events reach the local machine', async () => {
  const lines = (await block('sh publish')).replace('http://127.0.0.1:3000', served.url);
  const { code, stdout, stderr } = await shell(lines, app);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('the start at sign conforms to the contract');
  expect(stdout).toContain('acme/guestbook 1.0.0 is published.');
  expect(stdout).toEndWith('Thank you, Ada\n');

  const listen = (await block('sh listen'))
    .replace('3001/hook', `${receiver.url}/hook`)
    .replace('listen', 'listen --poll 0.2');
  const command = ['sh', '-euc', `set -a; . ../dev.env; exec ${listen}`];
  const child = Bun.spawn(command, {
    cwd: app,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    env: { ...environment, ...secrets },
  });
  expect((await linesOf(child.stderr).next()).value).toBe('Listening. Ctrl-C ends it.');
  const walk = await shell(
    'set -a; . ../dev.env; set +a; flowgate flow run acme/guestbook --set name=Grace --json',
    app,
  );
  const [{ sessionId }] = walk.stdout.split('\n').map((line) => JSON.parse(line === '' ? '{}' : line));
  expect(await receiver.lines.next()).toEqual({ done: false, value: `signed ${sessionId} 2` });
  child.kill('SIGINT');
  expect(await child.exited).toBe(130);
  expect((await fetch(receiver.url, { method: 'POST', body: '{}' })).status).toBe(401);
});

test('the page’s server for Bun serves the same app, with a store that survives a restart', async () => {
  for (const name of ['serve-bun.ts', 'store.ts']) writeFileSync(join(app, name), await block(`ts ${name}`));
  const request = { user: 'once', idempotencyKey: 'one' };
  const titles: string[] = [];
  for (let round = 0; round < 2; round++) {
    const bun = await start(`exec "${process.execPath}" serve-bun.ts`, app);
    const gatewayTest = createFlowAppTest(new URL(bun.url), {
      signingSecret: secrets.SIGNING_SECRET,
      appId: 'acme/guestbook',
      stepIds: ['sign', 'thanks'],
    });
    const session = await gatewayTest.start({ user: request.user });
    await session.submit('sign', { name: `Guest ${round}` }, { idempotencyKey: request.idempotencyKey });
    titles.push(session.step.title);
    await bun.stop();
  }
  // The second process has the response of the first.
  expect(titles).toEqual(['Thank you, Guest 0', 'Thank you, Guest 0']);
});

/** The JSON texts that the shell lines print in succession. */
async function run(lines: string): Promise<readonly unknown[]> {
  const variables = `set -a; . ./dev.env; set +a; APP_URL=${plain.url} RECEIVER_URL=${receiver.url}\n`;
  const { code, stdout, stderr } = await shell(
    variables + lines.replaceAll('curl -sS', `curl -sS -w '\\n'`),
    directory,
    secrets,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('without the kit: the commands of the page publish the plain app over HTTP, walk through a session, and deliver its event to the receiver (contract/flow-apps)', async () => {
  const [publish = '', walk = '', subscribe = '', ...more] = await blocks('sh run');
  expect(more).toEqual([]);
  const [registered, version] = (await run(publish)) as [unknown, Version];
  expect(registered).toMatchObject({ appId: 'acme/plain', visibility: 'public' });
  expect(version).toMatchObject({ version: '1.0.0', baseUrl: plain.url, status: 'active', startSteps: ['sign'] });
  expect(version).not.toHaveProperty('signingSecret');

  const [started, signed, events, names] = (await run(walk)) as [Session, Session, FlowEventPage, unknown];
  expect(started).toMatchObject({ status: 'active', stateVersion: 1, currentStep: { stepId: 'sign' } });
  expect(signed).toMatchObject({ status: 'completed', currentStep: { stepId: 'thanks', title: 'Thank you, Ada' } });
  expect(events.data.map(({ type }) => type)).toEqual([
    'session_created',
    'step_submitted',
    'signed',
    'session_completed',
  ]);
  expect(names).toEqual({ data: ['Ada'] });

  const [subscription] = await run(subscribe);
  expect(subscription).toMatchObject({ eventType: 'signed', status: 'active' });
  const [again] = (await run(walk)) as [Session];
  expect(await receiver.lines.next()).toEqual({ done: false, value: `signed ${again.sessionId} 2` });
  expect((await fetch(`${plain.url}/renderStep`, { method: 'POST', body: '{"reason":"start"}' })).status).toBe(401);
});
