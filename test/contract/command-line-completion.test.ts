/** Completion in real shells: bash, and zsh and fish where they are installed (command-line#completion). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { which } from 'bun';
import { type Shell, shells } from '../../apps/cli/src/completion/shell-scripts.ts';
import { flowgateCommand } from '../../apps/gateway/test/fixtures/flowgate-command.ts';
import { type CliHome, createCliHome } from '../../apps/gateway/test/fixtures/run-cli.ts';

let home: CliHome;
let url = '';
let server: { stop: (force: boolean) => unknown };
/** Network names that a shell would execute, and one ordinary name. */
const hostile = ['$(touch broken)', '`touch broken`', '; touch broken', "' touch broken", 'a b', '*', 'x\ny'];

beforeAll(() => {
  home = createCliHome();
  const bin = join(home.directory, 'bin');
  mkdirSync(bin);
  const quoted = flowgateCommand.map((word) => `'${word}'`).join(' ');
  writeFileSync(join(bin, 'flowgate'), `#!/bin/sh\nexec ${quoted} "$@"\n`);
  chmodSync(join(bin, 'flowgate'), 0o755);
  const network = (networkId: string) => ({
    ...{
      dlt: 'ethereum',
      networkId,
      name: `Chain\u001b[2J\n${networkId}`,
      family: 'evm',
      default: false,
      status: 'up',
    },
    nodes: { healthy: 1, total: 1 },
  });
  const key = (keyId: string, label: string) => ({ keyId, label, scopes: ['rpc'], createdAt: '2026-11-23T00:00:00Z' });
  const served = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url: asked }) =>
      asked.includes('/networks')
        ? Response.json({ data: ['dev', ...hostile].map(network) })
        : Response.json({ data: [key('01AAA', 'laptop'), key('01BBB', 'ci: server'), key('--url=x', '')] }),
  });
  server = served;
  url = `http://127.0.0.1:${served.port}`;
});
afterAll(() => {
  server.stop(true);
  home.remove();
});

/**
 * What each shell executes to complete the words of a line, of which the last is incomplete. Prints one candidate per
 * line.
 */
const drivers: Readonly<Record<Shell, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    'bash',
    '--norc',
    '-c',
    'source <(flowgate completion bash); source <(flowgate completion bash); complete -p flowgate >&2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _flowgate; printf "%s\\n" "${COMPREPLY[@]}"',
    'bash',
    ...words,
  ],
  zsh: (words) => [
    'zsh',
    '-f',
    '-c',
    'compdef() { :; }; _describe() { print -rl -- "${(@)found%%:*}" }; _files() { :; }; source <(flowgate completion zsh); words=("$@"); CURRENT=$#; _flowgate',
    'zsh',
    ...words,
  ],
  fish: (words) => [
    'fish',
    '--no-config',
    '-c',
    "flowgate completion fish | source; complete -C \"$argv\" | string replace -r '\t.*' ''",
    words.join(' '),
  ],
};

async function complete(shell: Shell, words: readonly string[]): Promise<readonly string[]> {
  const directory = join(home.directory, 'work');
  mkdirSync(directory, { recursive: true });
  const child = Bun.spawn([...drivers[shell](words)], {
    cwd: directory,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    env: {
      PATH: `${join(home.directory, 'bin')}:${process.env['PATH']}`,
      HOME: home.directory,
      XDG_CONFIG_HOME: home.directory,
      FLOWGATE_URL: url,
      FLOWGATE_TOKEN: 'x',
    },
  });
  return (await child.stdout.text())
    .split('\n')
    .filter((line) => line !== '')
    .toSorted();
}

describe.each(shells.filter((shell) => shell === 'bash' || which(shell) !== null))('in %s', (shell) => {
  test('commands, options and values are completed, including values from the gateway', async () => {
    expect(await complete(shell, ['flowgate', 'ke'])).toEqual(['keys']);
    expect(await complete(shell, ['flowgate', 'keys', ''])).toEqual(['list', 'mint', 'revoke']);
    expect(await complete(shell, ['flowgate', 'keys', 'mint', '--e'])).toEqual(['--expires']);
    expect(await complete(shell, ['flowgate', 'keys', 'revoke', ''])).toEqual(['01AAA', '01BBB']);
    expect(await complete(shell, ['flowgate', 'rpc', 'eth_getBal'])).toEqual(['eth_getBalance']);
  });

  test('completion executes neither typed words nor values from a gateway', async () => {
    expect(await complete(shell, ['flowgate', 'rpc', 'm', '--network', ''])).toEqual(['ethereum/dev']);
    for (const typed of ['$(touch broken)', '`touch broken`'])
      await complete(shell, ['flowgate', 'rpc', 'eth_call', typed, 'x']);
    expect(existsSync(join(home.directory, 'work', 'broken'))).toBe(false);
  });
});

test('a value after an equals sign is completed in the form of each shell', async () => {
  expect(await complete('bash', ['flowgate', 'rpc', 'm', '--network', '=', 'eth'])).toEqual(['ethereum/dev']);
});

const candidatesFor = async (words: readonly string[], environment = {}) =>
  (
    await home.run(['complete', 'zsh', '--', ...words], {
      environment: { FLOWGATE_URL: url, FLOWGATE_TOKEN: 'x', ...environment },
    })
  ).stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));

test('each position of a line offers the values that fit, each once', async () => {
  expect(await candidatesFor(['keys', 'mint', 'x', '--json', '--'])).not.toContain('--json');
  expect(await candidatesFor(['history', '--type', ''])).toEqual(['deposit', 'swap', 'withdrawal']);
  expect(await candidatesFor(['history', '--type=sw'])).toEqual(['--type=swap']);
  expect(await candidatesFor(['--profile', 'x', 'profiles', ''])).toEqual(['list', 'use', 'remove']);
  expect(await candidatesFor(['completion', 'f'])).toEqual(['fish']);
  expect(await candidatesFor(['rpc', '--', '--'])).toEqual([]);
  expect(await candidatesFor(['nothing', 'that', 'is', ''])).not.toContain('complete');
  const described = await home.run(['complete', 'zsh', '--', 'keys', 'revoke', ''], {
    environment: { FLOWGATE_URL: url, FLOWGATE_TOKEN: 'x' },
  });
  expect(described.stdout).toBe('01AAA\tlaptop\n01BBB\tci: server\n');
});

test('an unreachable gateway or a missing sign-in completes nothing, without a message', async () => {
  for (const environment of [{ FLOWGATE_URL: 'http://127.0.0.1:1' }, { FLOWGATE_URL: '' }, { FLOWGATE_TOKEN: '' }]) {
    const ended = await home.run(['complete', 'bash', '--', 'keys', 'revoke', ''], {
      environment: { FLOWGATE_URL: url, FLOWGATE_TOKEN: 'x', ...environment },
    });
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  }
});
