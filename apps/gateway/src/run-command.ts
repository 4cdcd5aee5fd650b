/** The process of an operator's command: configuration, composition, serving, drain. */

import { messageOf } from '@flowgate/base/text';
import { version } from '../package.json';
import type { Gateway } from './bootstrap/gateway.ts';
import type { ToWorker } from './bootstrap/workers/worker-messages.ts';
import type { Workers } from './bootstrap/workers/workers.ts';
import type { Config } from './config/config.ts';
import type { ConfigProblem, LoadedConfig } from './config/config-file.ts';
import type { OperatorCommand } from './operator-command.ts';

/** Set for a worker, by its supervisor. */
const workerVariable = 'FLOWGATE_WORKER';
const launch = { version, writeLog: (lines: string) => void process.stdout.write(lines) };

/** Runs one command and ends the process with its exit code, except for `start`, which returns once the gateway serves. Each command loads only what it needs. */
export async function runCommand(asked: OperatorCommand): Promise<void> {
  switch (asked.kind) {
    case 'check-config':
      return check(asked.configFile, asked);
    case 'healthcheck':
      return checkHealth(asked.configFile);
    case 'migrate-data':
      return move(asked.from, asked.to, asked.json);
    case 'verify-audit':
      return verify(asked.configFile, asked.json);
    case 'reindex':
      return reindex(asked);
    case 'start':
      return begin(asked.configFile);
  }
}

async function move(from: string, to: string, json: boolean): Promise<void> {
  const [{ fillPlaceholders }, { runMove }] = await Promise.all([
    import('./config/config-file.ts'),
    import('./commands/run-move.ts'),
  ]);
  const filled = (name: string, text: string) =>
    fillPlaceholders(text, process.env) ??
    fail(2, `flowgate: --${name} names an environment variable that is not set\n`);
  const addresses = { from: filled('from', from), to: filled('to', to) };
  try {
    // With `--json` the result is the one object on standard output; progress goes to standard error.
    const tables = await runMove(addresses, (line) => (json ? process.stderr : process.stdout).write(`${line}\n`));
    if (json) say(`${JSON.stringify({ equal: true, tables })}\n`);
  } catch (error) {
    if (json) say(`${JSON.stringify({ equal: false, tables: [] })}\n`);
    fail(1, `flowgate: ${messageOf(error)}\n`);
  }
  process.exit(0);
}

async function verify(file: string, json: boolean): Promise<void> {
  const config = await configToStart(file);
  const { runVerifyAudit } = await import('./commands/run-verify-audit.ts');
  try {
    const verdict = await runVerifyAudit(config, (line) => (json ? process.stderr : process.stdout).write(`${line}\n`));
    const sound = verdict.fault === undefined;
    if (json) say(`${JSON.stringify({ sound, ...verdict })}\n`);
    process.exit(sound ? 0 : 1);
  } catch (error) {
    fail(1, `flowgate: ${messageOf(error)}\n`);
  }
}

async function checkHealth(file: string): Promise<never> {
  const { server } = await configToStart(file);
  const { healthProblem } = await import('./commands/check-health.ts');
  const problem = await healthProblem(server);
  if (problem !== undefined) fail(1, `flowgate: ${problem}\n`);
  process.exit(0);
}

async function reindex(asked: Extract<OperatorCommand, { kind: 'reindex' }>): Promise<void> {
  const config = await configToStart(asked.configFile);
  const { runReindex } = await import('./commands/run-reindex.ts');
  const report = (line: string) => (asked.json ? process.stderr : process.stdout).write(`${line}\n`);
  const streams = await runReindex(config, asked, report).catch((error: unknown) =>
    fail(1, `flowgate: ${messageOf(error)}\n`),
  );
  if (typeof streams === 'string') return fail(2, `flowgate: ${streams}\n`);
  if (asked.json) say(`${JSON.stringify({ streams })}\n`);
  process.exit(0);
}

async function load(file: string): Promise<LoadedConfig> {
  const { readConfigFile } = await import('./config/check-config.ts');
  const source = await readConfigFile(file, process.env);
  return source.kind === 'read' ? source.loaded : fail(2, `flowgate: ${source.reason}\n`);
}

async function configToStart(file: string): Promise<Config> {
  const loaded = await load(file);
  return loaded.ok ? loaded.config : fail(2, `flowgate: ${file} has ${listed('problem', loaded.problems)}`);
}

type CheckOptions = { readonly json: boolean; readonly online: boolean };

/** Ends the process explicitly: a module of an embedded app may have started something. */
async function check(file: string, { json, online }: CheckOptions): Promise<never> {
  const { checkConfig, readConfigFile } = await import('./config/check-config.ts');
  const source = await readConfigFile(file, process.env);
  if (!json && source.kind !== 'read') fail(2, `flowgate: ${source.reason}\n`);
  const offline =
    source.kind === 'read'
      ? await checkConfig(source.loaded, now)
      : { problems: [{ path: '', message: source.reason }], warnings: [] };
  // Where the file itself is wrong, what the chains say about it helps no one.
  const config = online && source.kind === 'read' && source.loaded.ok ? source.loaded.config : undefined;
  const found = config === undefined ? [] : await (await import('./commands/check-online.ts')).checkOnline(config);
  const { problems, warnings } = { problems: [...offline.problems, ...found], warnings: offline.warnings };
  const valid = problems.length === 0;
  if (json) {
    say(`${JSON.stringify({ file, valid, problems, warnings })}\n`);
    process.exit(valid ? 0 : 2);
  }
  if (!valid) fail(2, `flowgate: ${file} has ${listed('problem', problems)}`);
  say(`${file}: valid\n`);
  if (warnings.length > 0) process.stderr.write(`flowgate: ${file} has ${listed('warning', warnings)}`);
  process.exit(0);
}

/** Asked only where a date matters: the clock comes with more than a check needs. */
async function now(): Promise<number> {
  return (await import('./bootstrap/runtime.ts')).machine.clock.now();
}

function listed(noun: string, found: readonly ConfigProblem[]): string {
  const lines = found.map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}\n`);
  return `${found.length} ${noun}${found.length === 1 ? '' : 's'}:\n${lines.join('')}`;
}

async function begin(configFile: string): Promise<void> {
  // A closed log pipe must not end a gateway that is serving.
  process.stdout.on('error', () => {});
  const worker = process.env[workerVariable];
  if (worker !== undefined && process.send !== undefined) return work(Number(worker));
  const config = await configToStart(configFile);
  return config.server.workers > 1 ? supervise(config, configFile) : serve(config);
}

async function supervise(config: Config, configFile: string): Promise<never> {
  let workers: Workers | undefined;
  let asked = false;
  // Installed before anything is opened, as in `serve`.
  const end = (signal: string) => {
    if (workers === undefined) process.exit(1);
    if (asked) workers.kill();
    else workers.drain(signal);
    asked = true;
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  // One after another; those that come meanwhile are one more.
  let reloads = Promise.resolve();
  let isWaiting = false;
  onHangup(end, () => {
    if (isWaiting) return;
    isWaiting = true;
    reloads = reloads.then(() => {
      isWaiting = false;
      return workers?.reload(async () =>
        (await import('./config/check-config.ts')).readConfigFile(configFile, process.env),
      );
    });
  });
  try {
    const { openWorkers } = await import('./bootstrap/workers/workers.ts');
    const script = Bun.main.startsWith('/$bunfs/') ? [] : [Bun.main];
    workers = await openWorkers(config, launch, {
      words: [process.execPath, ...process.execArgv, ...script, ...process.argv.slice(2)],
      environment: (worker) => ({ ...process.env, [workerVariable]: String(worker) }),
    });
    process.exit(await workers.run());
  } catch (error) {
    fail(1, `flowgate: ${messageOf(error)}\n`);
  }
}

/** SIGHUP says that the configuration is to be read again; from a terminal, that the terminal is gone. */
function onHangup(end: (signal: string) => void, reload: () => void): void {
  process.on('SIGHUP', () => (process.stdin.isTTY || process.stdout.isTTY ? end('SIGHUP') : reload()));
}

/** Signals are for the supervisor to hear: a terminal and systemd send them to every process. */
async function work(worker: number): Promise<never> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  try {
    const { runWorker } = await import('./bootstrap/workers/worker.ts');
    const channel = {
      report: (message: object) => void process.send?.(message),
      onMessage: (listen: (message: ToWorker) => void) => void process.on('message', listen),
      onGone: (listen: () => void) => void process.on('disconnect', listen),
    };
    process.exit(await runWorker(channel, worker, launch));
  } catch (error) {
    fail(1, `flowgate: ${messageOf(error)}\n`);
  }
}

async function serve(config: Config): Promise<void> {
  let gateway: Gateway | undefined;
  let asked = false;
  // Installed before anything is opened: as process 1 of a container, a signal without a handler would be ignored.
  const end = (signal: string) => {
    if (asked || gateway === undefined) process.exit(1);
    asked = true;
    void drain(gateway, signal);
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  onHangup(end, () => void gateway?.reload());
  try {
    const { compose } = await import('./bootstrap/gateway.ts');
    gateway = await compose(config, launch);
  } catch (error) {
    fail(1, `flowgate: ${messageOf(error)}\n`);
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
