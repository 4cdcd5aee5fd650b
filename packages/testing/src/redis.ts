/** A Redis for one test, on a free port, in a temporary directory, without persistence; ended by the test that started it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Subprocess, which } from 'bun';
import { missingProgram } from './debian-package.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export type TestRedis = {
  readonly url: string;
  readonly port: number;
  /** Runs a command as an administrator would, over a connection of its own. */
  readonly cli: (...args: string[]) => Promise<string>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Sends SIGKILL; resolves when the process has ended. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same port, empty. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Undefined when Redis is installed; otherwise why tests that need it are skipped (never with CI=true, where they fail instead). */
export const redisMissing: string | undefined = missingProgram('redis-server', () => which('redis-server') !== null);

export async function startRedis(...settings: string[]): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-redis-'));
  const port = freePort();
  const passwordAt = settings.indexOf('--requirepass');
  const password = passwordAt < 0 ? undefined : settings[passwordAt + 1];
  let child: Subprocess | undefined;

  const cli = async (...args: string[]): Promise<string> => {
    const asked = Bun.spawn(['redis-cli', '-p', String(port), ...args], {
      stdout: 'pipe',
      stderr: 'ignore',
      env: { ...process.env, ...(password === undefined ? {} : { REDISCLI_AUTH: password }) },
    });
    return (await new Response(asked.stdout).text()).trim();
  };
  const start = async () => {
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no'];
    child = Bun.spawn(['redis-server', ...own, ...settings], { stdout: 'ignore', stderr: 'ignore' });
    const { exited } = child;
    const ended = exited.then(() => Promise.reject(new Error('Redis did not start')));
    await Promise.race([until('Redis answers', async () => (await cli('PING')) === 'PONG'), ended]);
  };
  const kill = async () => {
    child?.kill('SIGKILL');
    await child?.exited;
  };
  await start();
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
  return {
    url: `redis://${secret}127.0.0.1:${port}`,
    port,
    cli,
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    kill,
    start,
    async stop() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
