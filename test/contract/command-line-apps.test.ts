/**
 * `flowgate apps` from an empty directory to a published app: created, tested and run by Node.js and Bun with the
 * packed client, validated, published, retired.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFlowgate } from '@flowgate/client';
import { createFlowAppHandler, newSigningSecret } from '@flowgate/client/flow-app';
import type { RenderResponse } from '@flowgate/client/flow-wire';
import { type CliHome, createCliHome } from '../../apps/gateway/test/fixtures/run-cli.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const repository = join(import.meta.dir, '../..');
let gateway: RunningGateway;
let home: CliHome;
let directory: string;
let app: Bun.Subprocess<'ignore', 'pipe', 'inherit'>;
let url: string;

async function command(words: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, PORT: '0' };
  const child = Bun.spawn([...words], { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${output}${errors}`);
  return output + errors;
}

beforeAll(async () => {
  home = createCliHome();
  directory = join(home.directory, 'My Guestbook');
  const made = await home.run(['apps', 'init', directory, '--app-id', 'acme/guestbook']);
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
  // Does what `npm install` does, without a network: installs the packed client, the compiler and Node.js' types.
  const modules = join(directory, 'node_modules');
  const client = join(modules, '@flowgate/client');
  mkdirSync(client, { recursive: true });
  await command(['node', join(repository, 'scripts/build-client.mjs'), join(client, 'dist')], repository);
  for (const name of ['package.json', 'src'])
    cpSync(join(repository, 'client', name), join(client, name), { recursive: true });
  mkdirSync(join(modules, '@types'));
  const types = Bun.resolveSync('@types/node/package.json', import.meta.dir);
  symlinkSync(dirname(types), join(modules, '@types/node'));
  symlinkSync(dirname(Bun.resolveSync('undici-types/package.json', dirname(types))), join(modules, 'undici-types'));
  await command(['node', join(repository, 'node_modules/typescript-native/bin/tsc'), '-p', '.'], directory);

  gateway = await startGateway({ config: { outbound: { allowPrivateHosts: ['127.0.0.1'] } } });
  app = Bun.spawn(['node', '--env-file=.env', 'dist/serve.js'], {
    ...{ cwd: directory, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
    env: { PATH: process.env['PATH'] ?? '', PORT: '0' },
  });
  const { value } = await app.stdout.getReader().read();
  url = /http:\S+/.exec(new TextDecoder().decode(value))?.[0] ?? '';
});
afterAll(async () => {
  app?.kill();
  await app?.exited;
  await gateway?.stop();
  home?.remove();
});

const environment = () => ({ FLOWGATE_URL: gateway.url, FLOWGATE_TOKEN: gateway.token('ada') });
const run = (...args: readonly string[]) => home.run(['apps', ...args], { environment: environment() });
const manifest = () => join(directory, 'flow-app.yaml');

test('a new app is complete: only its owner can read its secret, and no committed file contains it', () => {
  expect(
    readdirSync(directory)
      .filter((name) => name !== 'node_modules' && name !== 'dist')
      .toSorted(),
  ).toEqual([...['.env', '.gitignore', 'README.md', 'flow-app.yaml', 'package.json', 'src', 'tsconfig.json']]);
  expect(statSync(join(directory, '.env')).mode & 0o777).toBe(0o600);
  const secret = /whsec_\S+/.exec(readFileSync(join(directory, '.env'), 'utf8'))?.[0] ?? '';
  expect(Buffer.from(secret.slice(6), 'base64').length).toBe(32);
  for (const name of ['README.md', 'flow-app.yaml', 'package.json', 'src/app.ts', 'src/serve.ts'])
    expect(readFileSync(join(directory, name), 'utf8')).not.toContain(secret);
  expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toContain('.env');
});

test('a directory that is not empty is left unchanged; invalid ids are refused; a name becomes a slug', async () => {
  const again = await run('init', directory);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is not empty')]);
  expect((await run('init', join(home.directory, 'other'), '--app-id', 'Acme Guestbook')).code).toBe(2);
  const made = await run('init', join(home.directory, '..My App!'), '--json');
  expect(JSON.parse(made.stdout)).toMatchObject({ appId: 'acme/my-app' });
  // A file in place of the directory.
  writeFileSync(join(home.directory, 'file'), '');
  expect((await run('init', join(home.directory, 'file'))).code).toBe(1);
});

test('its own test passes on Node.js and on Bun, and it also starts on Bun', async () => {
  expect(await command(['node', '--test', 'dist/'], directory)).toMatch(/# pass 2\n# fail 0/);
  expect(await command([process.execPath, 'test', 'src'], directory)).toContain(' 2 pass');
  const server = Bun.spawn([process.execPath, 'src/serve.ts'], {
    cwd: directory,
    env: { PORT: '0' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const { value } = await server.stdout.getReader().read();
  const [address = ''] = /http:\S+/.exec(new TextDecoder().decode(value)) ?? [];
  expect(await (await fetch(`${address}/health`)).json()).toEqual({ status: 'ok' });
  server.kill();
  await server.exited;
});

test('validate checks the manifest alone, and the running app with the requests of a gateway', async () => {
  const offline = await home.run(['apps', 'validate', manifest()]);
  expect(offline).toEqual({ code: 0, stdout: `${manifest()}: acme/guestbook 1.0.0, 2 steps\n`, stderr: '' });
  const running = await run('validate', manifest(), '--url', url, '--json');
  expect([running.code, JSON.parse(running.stdout)]).toEqual([
    0,
    { file: manifest(), valid: true, problems: [], app: { url, findings: [], rendered: ['sign'] } },
  ]);

  writeFileSync(join(home.directory, 'bad.yaml'), 'appId: acme/x\nname: X\nversion: one\n');
  const bad = await run('validate', join(home.directory, 'bad.yaml'));
  expect([bad.code, bad.stderr]).toEqual([1, '']);
  expect(bad.stdout).toContain('bad.yaml:3:10 version must be a semantic version');
  expect((await run('validate', join(home.directory, 'nothing.yaml'))).code).toBe(2);
  expect((await run('validate', '/dev/zero')).stderr).toContain('larger than');
});

test('validate reports problems of a running app: unchecked signatures, an undeclared step, texts that the filter rejects, no answer', async () => {
  const secret = newSigningSecret();
  const step = { stepId: 'sign', title: 'Sign', fields: [], actions: [{ actionId: 'go', label: 'Go' }] };
  const answers: Readonly<Record<string, RenderResponse>> = {
    '/fine': { step },
    '/undeclared': { step: { ...step, stepId: 'elsewhere' } },
    '/pattern': { step: { ...step, fields: [{ fieldId: 'a', type: 'text', label: 'A', pattern: '(a{500}){500}' }] } },
    '/hostile': { step: { ...step, title: 'Enter your seed phrase' } },
    '/warned': {
      step: { ...step, description: 'See ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi' },
    },
    '/bell': { step: { ...step, title: 'A \u001b[31mred\u0007 title' } },
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      const [base = ''] = /^\/[a-z]+/.exec(path) ?? [];
      if (base === '/open') return path.endsWith('/health') ? new Response('ok') : Response.json({ step });
      if (base === '/huge') return path.endsWith('/health') ? new Response('ok') : new Response('x'.repeat(2_000_000));
      const answer = answers[base];
      if (answer === undefined) return new Response('?', { status: 500 });
      return createFlowAppHandler(
        { renderStep: () => answer },
        { signingSecret: secret, basePath: base, onError: () => {} },
      )(request);
    },
  });
  const findingsOf = async (path: string) => {
    const at = `http://127.0.0.1:${server.port}${path}`;
    const ended = await home.run(['apps', 'validate', manifest(), '--url', at, '--json'], {
      environment: { ...environment(), SIGNING_SECRET: secret },
    });
    return [ended.code, JSON.parse(ended.stdout).app.findings.map(({ message }: { message: string }) => message)];
  };
  expect(await findingsOf('/fine')).toEqual([0, []]);
  expect(await findingsOf('/open')).toEqual([
    1,
    [
      expect.stringContaining('without a signature'),
      expect.stringContaining('another secret'),
      expect.stringContaining('ten minutes ago'),
    ],
  ]);
  expect(await findingsOf('/pattern')).toEqual([1, [expect.stringContaining('must be an RE2 pattern')]]);
  expect(await findingsOf('/hostile')).toEqual([
    1,
    ['the start at sign: content-filter rule secret-requests rejected text at /step/title'],
  ]);
  expect(await findingsOf('/bell')).toEqual([
    1,
    ['the start at sign: content-filter rule control-characters rejected text at /step/title'],
  ]);
  expect(await findingsOf('/warned')).toEqual([0, [expect.stringContaining('unsafe-links')]]);
  expect(await findingsOf('/undeclared')).toEqual([
    1,
    ['the start at sign: /step/stepId is not a step that the version declares'],
  ]);
  expect(await findingsOf('/huge')).toEqual([1, [expect.stringContaining('larger than 1 MiB')]]);
  expect(await findingsOf('/broken')).toEqual([
    1,
    expect.arrayContaining([expect.stringContaining('/health answered 500')]),
  ]);
  await server.stop(true);
  expect((await findingsOf('/fine'))[0]).toBe(1);
});

test('publish registers, shows the changes, publishes once, and never prints the author’s secret', async () => {
  const dry = await run('publish', manifest(), '--base-url', url, '--dry-run');
  expect([dry.code, dry.stdout]).toEqual([
    0,
    'acme/guestbook 1.0.0: a new app, registered with its first version\nNothing was published.\n',
  ]);
  const first = await run('publish', manifest(), '--base-url', url);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toEndWith('acme/guestbook 1.0.0 is published.\n');
  const again = await run('publish', manifest(), '--base-url', url, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ published: false, isThere: true });

  const text = readFileSync(manifest(), 'utf8');
  writeFileSync(
    manifest(),
    text.replace('- thanks', '- thanks\n  - farewell').replace('name: Guestbook', 'name: Visitors'),
  );
  const taken = await run('publish', manifest(), '--base-url', url);
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('Set the next version')]);
  writeFileSync(manifest(), readFileSync(manifest(), 'utf8').replace('version: 1.0.0', 'version: 1.1.0'));
  const next = await run('publish', manifest(), '--base-url', url);
  expect(next.stdout).toBe(
    'acme/guestbook 1.1.0, after 1.0.0:\n  + step farewell\nacme/guestbook 1.1.0 is published.\n',
  );
  expect(next.stderr).toBe("The registry does not change the app's name.\n");
  const secret = /whsec_\S+/.exec(readFileSync(join(directory, '.env'), 'utf8'))?.[0] ?? '-';
  for (const { stdout, stderr } of [dry, first, again, taken, next]) expect(stdout + stderr).not.toContain(secret);

  // With the secret in .env, the gateway and the app accept each other's signatures.
  const { flow } = createFlowgate({ url: gateway.url, token: gateway.token('ada') });
  const session = await flow.sessions.start({ appId: 'acme/guestbook' });
  const { sessionId, stateVersion } = session;
  const done = await flow.sessions.submit(sessionId, 'sign', {
    actionId: 'sign',
    fieldValues: { name: 'Ada' },
    stateVersion,
  });
  expect(done).toMatchObject({ status: 'completed', version: '1.1.0', currentStep: { title: 'Thank you, Ada' } });
});

test('a secret that the gateway creates is printed once, when the app is published; another user’s app cannot be published', async () => {
  const own = join(home.directory, 'own.yaml');
  writeFileSync(own, `appId: acme/own\nname: Own\nversion: 1.0.0\nbaseUrl: ${url}\nsteps: [sign]\n`);
  const made = await run('publish', own);
  expect(made.stdout).toMatch(/which is shown only once\. Pass it to the app as SIGNING_SECRET:\nwhsec_\S+\n$/);
  expect((await run('publish', own)).stdout).not.toContain('whsec_');
  const thief = await home.run(['apps', 'publish', own], {
    environment: { ...environment(), FLOWGATE_TOKEN: gateway.token('mallory') },
  });
  expect([thief.code, thief.stdout.includes('is published')]).toEqual([1, false]);
  const wrong = await home.run(['apps', 'publish', own], {
    environment: { ...environment(), SIGNING_SECRET: 'hunter2' },
  });
  expect([wrong.code, wrong.stderr.includes('hunter2')]).toEqual([2, false]);
});

test('a retired version starts no sessions; retiring again is no error, an unknown version is refused', async () => {
  const retired = await run('retire', 'acme/guestbook', '1.1.0');
  expect(retired).toEqual({
    code: 0,
    stdout: 'acme/guestbook 1.1.0 is retired.\nNew sessions use 1.0.0.\n',
    stderr: '',
  });
  expect(JSON.parse((await run('retire', 'acme/guestbook', '1.1.0', '--json')).stdout)).toMatchObject({
    status: 'retired',
  });
  expect((await run('retire', 'acme/guestbook', '9.0.0')).code).toBe(1);
  expect((await run('retire', 'guestbook', '1.0.0')).code).toBe(2);
});
