/**
 * Records the session of docs/reference/command-line.md: starts an installation, signs in, runs the commands and writes their output with masked secrets. `npx
 * bun scripts/record-command-line.mjs`.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@flowgate/testing/free-port';
import { createPersonAtBrowser } from '../apps/gateway/test/fixtures/person-at-browser.ts';
import { repositoryRoot } from './ensure-installed.mjs';

const page = join(repositoryRoot, 'docs', 'reference', 'command-line.md');
/** The first account of the local chain; its key is public. */
const knownKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

const defaultPorts = {
  port: 8080,
  'chain-port': 8545,
  'identity-port': 9000,
  'apps-port': 9100,
  'facilitator-port': 9200,
  'node-provider-port': 9300,
};
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const flowCommand = `flowgate flow run flowgate/deploy-contract --set contract=counter --set firstNumber=41 --set from=${account} \\
    --action prepare --action deploy --action finish --key-file key --yes`;

const directory = mkdtempSync(join(tmpdir(), 'flowgate-recording-'));
const ports = ['port', 'chain-port', 'identity-port', 'apps-port', 'facilitator-port', 'node-provider-port'].map(
  (flag) => ({ flag, port: freePort() }),
);
const portOf = (flag) => ports.find((each) => each.flag === flag)?.port;
const gateway = `http://127.0.0.1:${portOf('port')}`;
const installation = Bun.spawn(
  [
    ...[process.execPath, join(repositoryRoot, 'devkit', 'src', 'start.ts'), '--data', join(directory, 'data')],
    ...ports.flatMap(({ flag, port }) => [`--${flag}`, String(port)]),
  ],
  { cwd: repositoryRoot, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
);
try {
  await saidBy(installation.stdout, 'Flowgate is ready.');
  writeRecording(await record());
} finally {
  installation.kill('SIGTERM');
  await installation.exited;
  rmSync(directory, { recursive: true, force: true });
}

async function record() {
  const keyFile = join(directory, 'key');
  writeFileSync(keyFile, `${knownKey}\n`);
  chmodSync(keyFile, 0o600);
  const parts = [
    await run(`flowgate login ${gateway}`, 'alice'),
    await run('flowgate whoami'),
    await run('flowgate keys mint laptop --save'),
    await run('flowgate keys mint ci --expires 90d'),
    await run('flowgate keys list'),
    await run('flowgate rpc eth_blockNumber'),
    await run(`flowgate rpc eth_getBalance ${account} latest`),
    await run('flowgate rpc eth_sendRawTransaction 0x00; echo "exit code $?"'),
    await run('flowgate networks'),
    await run(flowCommand),
    await runUntil('flowgate usage --by method', 'eth_blockNumber'),
    await run('flowgate logout'),
  ];
  return masked(parts.join('\n'));
}

/** The gateway writes usage every ten seconds. */
async function runUntil(typed, words) {
  for (let tries = 1; ; tries++) {
    const said = await run(typed);
    if (said.includes(words) || tries === 20) return said;
    await Bun.sleep(1_000);
  }
}

/** The typed command, and the output of both streams in order. With `user`, signs that user in at the printed address. */
async function run(typed, user) {
  const command = `flowgate() { "${process.execPath}" "${join(repositoryRoot, 'apps', 'cli', 'src', 'main.ts')}" "$@"; }\n${typed}`;
  const child = Bun.spawn(['sh', '-c', `exec 2>&1\n${command}`], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory, XDG_CONFIG_HOME: join(directory, 'config') },
    stdin: 'ignore',
    stdout: 'pipe',
  });
  let text = '';
  let isOpened = user === undefined;
  for await (const piece of child.stdout) {
    text += new TextDecoder().decode(piece);
    const address = /^ {2}(http\S+)\n/m.exec(text)?.[1];
    if (isOpened || address === undefined) continue;
    isOpened = true;
    await createPersonAtBrowser().signIn(address, user);
  }
  return `$ ${typed}\n${text.trimEnd()}\n`;
}

function masked(text) {
  const plain = text
    .replaceAll(/(fk_\w+)\.[\w-]+/g, '$1.••••••••')
    .replaceAll(/((?:state|nonce|code_challenge)=)[\w-]+/g, '$1…')
    .replaceAll(directory, '.');
  return ports
    .reduce(
      (shown, { flag, port }) => shown.replaceAll(new RegExp(`(:|%3A)${port}`, 'g'), `$1${defaultPorts[flag] ?? port}`),
      plain,
    )
    .replaceAll(/(%3A)\d{4,5}(%2Fcallback)/g, '$149152$2');
}

function writeRecording(text) {
  const [open, close] = ['<!-- recording -->\n', '<!-- /recording -->'];
  const before = readFileSync(page, 'utf8');
  const [start, end] = [before.indexOf(open) + open.length, before.indexOf(close)];
  if (start < open.length || end < start)
    throw new Error('docs/reference/command-line.md has no section for the recording');
  writeFileSync(page, `${before.slice(0, start)}\n\`\`\`console\n${text.trimEnd()}\n\`\`\`\n\n${before.slice(end)}`);
}

async function saidBy(stream, words) {
  let text = '';
  // Reads the rest as well: a full pipe would block the installation.
  const reading = Promise.withResolvers();
  (async () => {
    for await (const piece of stream) {
      text = (text + new TextDecoder().decode(piece)).slice(-100_000);
      if (text.includes(words)) reading.resolve();
    }
    reading.reject(new Error(`the installation ended:\n${text}`));
  })();
  await reading.promise;
}
