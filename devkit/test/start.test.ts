/** `npm start` from a user's view: real npm, real processes, the printed lines pasted into a shell. */

import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@flowgate/testing/free-port';
import { descendantsOf, runningOf, until, untilGone } from './process-tree.ts';

const root = join(import.meta.dir, '..', '..');
const startTimeoutMs = 60_000;

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('npm start prints a token, a key and curl lines that work, reuses data and key after Ctrl-C and a second start, and leaves no process', async () => {
  const place = await newPlace();
  const first = await start(place);
  const block = Number(resultOf(await paste(first.lineWith('/rpc -H'))));
  expect(resultOf(await paste(first.lineWith('/rpc/fk_')))).toBe(`0x${block.toString(16)}`);
  expect(await publishedVersions(first)).toEqual(['1.0.0', '1.0.0', '1.0.0']);
  expect(await paste(first.lineWith('/users/me/api-keys'))).toMatchObject({ label: 'my key' });
  for (const flow of ['flow-deploy.ts', 'flow-transfer.ts', 'flow-paid-report.ts'])
    expect(await output(first.flowLine.replace('flow-deploy.ts', flow))).toContain('session completed');
  const walked = await mine(first.lineAfter('Local chain').split(/\s+/)[0] ?? '');
  await first.interrupt();

  const second = await start(place);
  // The block of the first start, and no second development token.
  expect(resultOf(await paste(second.lineWith('/rpc -H')))).toBe(`0x${(walked + 1).toString(16)}`);
  expect(await publishedVersions(second)).toEqual(['1.0.0', '1.0.0', '1.0.0']);
  // A saved .env remains valid: the same key is printed and written, readable by its owner only.
  expect(second.lineWith('/rpc -H')).toBe(first.lineWith('/rpc -H'));
  const environment = await output(
    `set -a; . ${place.data}/dev.env; echo "$FLOWGATE_URL $FLOWGATE_API_KEY $FLOWGATE_TOKEN"`,
  );
  expect(environment.trim()).toBe(`${second.gatewayUrl} ${second.apiKey} ${second.token}`);
  expect(statSync(`${place.data}/dev.env`).mode & 0o777).toBe(0o600);
  expect(await output(second.flowLine)).toContain('deployments stored by the app: 4');
  expect(await paste(first.lineWith('/users/me/api-keys'))).toMatchObject({ label: 'my key' });

  // With ten other keys the start succeeds without a key, and prints what to do.
  await fillKeys(second);
  await second.interrupt();
  const third = await start(place);
  expect(third.output()).toContain('No API key was made for alice');
  expect(await Bun.file(`${place.data}/dev.env`).text()).not.toContain('FLOWGATE_API_KEY');
  const { data: keys } = (await paste(third.lineWith('/users/me/api-keys -H'))) as { data: { keyId: string }[] };
  expect(keys.length).toBeGreaterThanOrEqual(10);
  expect(third.lineWith('-X DELETE')).toContain('/users/me/api-keys/KEY_ID -H');
  await third.interrupt();
});

test('killing npm or the supervisor with -9 ends all processes below it', async () => {
  const place = await newPlace();
  const first = await start(place);
  process.kill(first.npm, 'SIGKILL');
  await untilGone(first.processes);

  const second = await start(place);
  const supervisor = second.processes.find((pid) => commandOf(pid).includes('devkit/src/start.ts'));
  expect(supervisor).toBeDefined();
  process.kill(supervisor ?? 0, 'SIGKILL');
  await untilGone(second.processes);
  expect(await second.exited).not.toBe(0);
});

test('a crashed component ends the installation with its name and its log, and a second start names the directory and ports in use', async () => {
  const place = await newPlace();
  const running = await start(place);
  // With its own ports, the second start would have served the same apps and written the same chain and dev.env.
  const { data } = place;
  const { data: otherData, ports: otherPorts } = await newPlace();
  const besides = [launch({ data, ports: otherPorts }), launch({ data: otherData, ports: place.ports })] as const;
  for (const refused of besides) expect(await refused.exited).not.toBe(0);
  expect(besides[0].output()).toContain(`The data directory ${data} is in use by another npm start`);
  expect(besides[1].output()).toContain(`Port ${place.ports[0]} is already in use; the gateway needs it`);

  const chain = running.processes.find((pid) => commandOf(pid).includes('anvil'));
  process.kill(chain ?? 0, 'SIGKILL');
  expect(await running.exited).not.toBe(0);
  expect(running.output()).toContain('The local chain ended by itself (exit 137)');
  await untilGone(running.processes);
});

type Place = { readonly data: string; readonly ports: readonly number[] };

async function newPlace(): Promise<Place> {
  const data = mkdtempSync(join(tmpdir(), 'flowgate-start-'));
  cleanups.push(() => rmSync(data, { recursive: true, force: true }));
  return { data, ports: Array.from({ length: 6 }, freePort) };
}

function launch({ data, ports }: Place) {
  const [port, chainPort, identityPort, appsPort, facilitatorPort, nodeProviderPort] = ports;
  const flags = [
    '--port',
    `${port}`,
    '--chain-port',
    `${chainPort}`,
    '--identity-port',
    `${identityPort}`,
    '--apps-port',
    `${appsPort}`,
    '--facilitator-port',
    `${facilitatorPort}`,
    '--node-provider-port',
    `${nodeProviderPort}`,
    '--data',
    data,
  ];
  // A process group of its own, as a terminal gives each command, so that Ctrl-C reaches the whole group.
  const npm = Bun.spawn(['npm', 'start', '--', ...flags], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development' },
    detached: true,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let output = '';
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  const collected = Promise.all([collect(npm.stdout), collect(npm.stderr)]);
  const exited = npm.exited.then(async (code) => {
    await collected;
    return code;
  });
  return { npm: npm.pid, exited, output: () => output };
}

async function start(place: Place) {
  const launched = launch(place);
  const { npm, output, exited } = launched;
  cleanups.push(async () => {
    const left = runningOf([npm, ...descendantsOf(npm)]);
    if (left.length > 0) process.kill(-npm, 'SIGINT');
    await untilGone(left);
  });
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  await until(() => ended || output().includes('Ctrl-C stops everything'), startTimeoutMs, output);
  if (ended) throw new Error(output());
  const processes = [npm, ...descendantsOf(npm)];
  const lines = output().split('\n');
  return {
    ...launched,
    processes,
    lineWith: (text: string) => lines.find((line) => line.startsWith('curl') && line.includes(text)) ?? '',
    gatewayUrl: /Gateway +(\S+)/.exec(output())?.[1] ?? '',
    token: lines[lines.indexOf('Access token of alice:') + 1] ?? '',
    apiKey: lines[lines.findIndex((line) => line.startsWith('API key of alice')) + 1] ?? '',
    flowLine: lines.find((line) => line.startsWith('FLOWGATE_URL=')) ?? '',
    lineAfter: (label: string) =>
      lines
        .find((line) => line.trim().startsWith(label))
        ?.trim()
        .slice(label.length)
        .trim() ?? '',
    interrupt: async () => {
      process.kill(-npm, 'SIGINT');
      await exited;
      // No process may be left when the prompt returns.
      expect(runningOf(processes)).toEqual([]);
    },
  };
}

/** Runs a line in a shell. Without curl on this machine, parses the line and sends it with fetch. */
async function paste(line: string): Promise<unknown> {
  if (Bun.which('curl') !== null) {
    return JSON.parse(await new Response(Bun.spawn(['sh', '-c', line]).stdout).text());
  }
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const after = (flag: string) => words.flatMap((word, at) => (words[at - 1] === flag ? [word] : []));
  const headers = after('-H').map((header): [string, string] => {
    const [name = '', value = ''] = header.split(': ');
    return [name, value];
  });
  const url = words.find((word) => word.startsWith('http')) ?? '';
  return (await fetch(url, { method: 'POST', headers, body: after('-d')[0] ?? '' })).json();
}

/** The output of a line in the project's directory; throws unless the line succeeds. */
async function output(line: string): Promise<string> {
  const child = Bun.spawn(['sh', '-c', line], { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [code, said, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  if (code !== 0) throw new Error(`${line.replace(/'.*?'/g, "'…'")} ended with ${code}: ${said}${errors}`);
  return said;
}

/** Revokes the start's key, and mints keys until the user has the maximum. */
async function fillKeys({ gatewayUrl, token, apiKey }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const keysUrl = `${gatewayUrl}/users/me/api-keys`;
  const keyId = apiKey.slice('fk_'.length).split('.')[0];
  expect((await fetch(`${keysUrl}/${keyId}`, { method: 'DELETE', headers })).status).toBe(204);
  const mint = () => fetch(keysUrl, { method: 'POST', headers, body: '{"label":"mine"}' });
  let minted = 0;
  while ((await mint()).status === 201 && minted < 11) minted += 1;
  expect(minted).toBeGreaterThan(5);
}

function resultOf(answer: unknown): unknown {
  return (answer as { result?: unknown }).result;
}

/** The latest version of each sample app, as users other than the publisher see it. */
async function publishedVersions({
  gatewayUrl,
  apiKey,
}: Awaited<ReturnType<typeof start>>): Promise<(string | undefined)[]> {
  const response = await fetch(`${gatewayUrl}/flow/registry/apps`, { headers: { 'X-API-Key': apiKey } });
  const { data } = (await response.json()) as { data: { latestVersion?: string }[] };
  return data.map(({ latestVersion }) => latestVersion);
}

/** Mines a block and returns the block before it. Reads the chain directly: the gateway's head may be a second old. */
async function mine(chainUrl: string): Promise<number> {
  const ask = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'Content-Type': 'application/json' };
    return await (await fetch(chainUrl, { method: 'POST', headers, body })).json();
  };
  const before = Number(resultOf(await ask('eth_blockNumber', [])));
  await ask('anvil_mine', ['0x1']);
  return before;
}

function commandOf(pid: number): string {
  return Bun.spawnSync(['ps', '-o', 'args=', '-p', String(pid)]).stdout.toString();
}
