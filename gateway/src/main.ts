/** The process: arguments, configuration, composition, serving, and a drain at the end. */

import { readFile } from 'node:fs/promises';
import { version } from '../package.json';
import { type Command, parseCommand, usage } from './command-line.ts';
import { compose, type Gateway } from './compose.ts';
import { runMove } from './compose-move.ts';
import type { Config } from './config.ts';
import { fillPlaceholders, readConfig } from './config-file.ts';

const command = parseCommand(process.argv.slice(2));
await run(command);

async function run(asked: Command): Promise<void> {
  switch (asked.kind) {
    case 'help':
      return say(usage);
    case 'version':
      return say(`${version}\n`);
    case 'misused':
      return fail(2, `flowgate: ${asked.problem}\n\n${usage}`);
    case 'check-config':
      await load(asked.configFile);
      return say(`${asked.configFile}: valid\n`);
    case 'migrate-data':
      return move(asked.from, asked.to);
    case 'start':
      return serve(await load(asked.configFile));
  }
}

async function move(from: string, to: string): Promise<void> {
  const filled = (name: string, text: string) =>
    fillPlaceholders(text, process.env) ??
    fail(2, `flowgate: --${name} names an environment variable that is not set\n`);
  const addresses = { from: filled('from', from), to: filled('to', to) };
  try {
    await runMove(addresses, (line) => say(`${line}\n`));
  } catch (error) {
    fail(1, `flowgate: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  process.exit(0);
}

async function load(file: string): Promise<Config> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) =>
    fail(2, `flowgate: cannot read ${file}: ${error.code ?? 'unknown error'}\n`),
  );
  const loaded = readConfig(text, process.env);
  if (loaded.ok) return loaded.config;
  const lines = loaded.problems.map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}\n`);
  const count = lines.length === 1 ? '1 problem' : `${lines.length} problems`;
  return fail(2, `flowgate: ${file} has ${count}:\n${lines.join('')}`);
}

async function serve(config: Config): Promise<void> {
  let gateway: Gateway | undefined;
  let asked = false;
  // Before anything is opened: as process 1 of a container a signal without a handler would be ignored.
  const end = (signal: string) => {
    if (asked || gateway === undefined) process.exit(1);
    asked = true;
    void drain(gateway, signal);
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  // A closed log pipe must not end a gateway that is serving.
  process.stdout.on('error', () => {});
  try {
    gateway = await compose(config, { version, writeLog: (lines) => process.stdout.write(lines) });
  } catch (error) {
    fail(1, `flowgate: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

async function drain(gateway: Gateway, signal: string): Promise<never> {
  const cutOff = await gateway.drain(signal);
  process.exit(cutOff > 0 ? 1 : 0);
}

function say(text: string): void {
  process.stdout.write(text);
}

function fail(code: number, text: string): never {
  process.stderr.write(text);
  process.exit(code);
}
