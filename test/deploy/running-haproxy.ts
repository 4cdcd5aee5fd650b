/**
 * Runs HAProxy with the repository's haproxy.cfg on a random port, with only the addresses replaced by servers of the
 * test.
 */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingProgram } from '@flowgate/testing/debian-package';
import { freePort } from '@flowgate/testing/free-port';
import { until } from '@flowgate/testing/until';
import { which } from 'bun';
import { deployText, repository } from './deploy-files.ts';

export type RunningHaproxy = {
  readonly url: string;
  /** Settles once HAProxy has logged a matching line. */
  readonly logged: (pattern: RegExp) => Promise<void>;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly stop: () => Promise<void>;
};

/**
 * Undefined when HAProxy is installed; otherwise why tests that need it are skipped (with CI=true they fail instead).
 */
export const haproxyMissing: string | undefined = missingProgram('haproxy', () => program() !== null);

function program(): string | null {
  return which('haproxy', { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` });
}

export type Workplace = { readonly directory: string; readonly file: string; readonly port: number };

/**
 * The shipped file with a certificate of create-secrets, and `ports` in place of the gateways; other gateways are
 * omitted.
 */
export async function prepareHaproxy(ports: readonly number[]): Promise<Workplace> {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-haproxy-'));
  const script = join(directory, 'create-secrets');
  cpSync(join(repository, 'deploy/compose/create-secrets'), script);
  if (Bun.spawnSync(['sh', script], { stdout: 'ignore' }).exitCode !== 0) throw new Error('create-secrets failed');
  const port = freePort();
  const shipped = await deployText('compose/haproxy.cfg');
  const config = shipped
    .replace('bind :8443', `bind 127.0.0.1:${port}`)
    // Needs two file descriptors for each, which compose.yaml grants and this machine may not.
    .replace('maxconn 20000', 'maxconn 200')
    .replace('/run/secrets/TLS_PEM', join(directory, 'secrets/TLS_PEM'))
    .replaceAll(/^ {4}server gateway-(\d) gateway-\d:8080$/gm, (_, nth: string) => {
      const to = ports[Number(nth) - 1];
      return to === undefined ? '' : `    server gateway-${nth} 127.0.0.1:${to}`;
    });
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, config);
  return { directory, file, port };
}

export function checkHaproxy({ file }: Workplace): { readonly code: number; readonly output: string } {
  const checked = Bun.spawnSync([program() ?? 'haproxy', '-c', '-f', file]);
  return { code: checked.exitCode, output: `${checked.stdout}${checked.stderr}` };
}

export async function startHaproxy(ports: readonly number[]): Promise<RunningHaproxy> {
  const { directory, file, port } = await prepareHaproxy(ports);
  const child = Bun.spawn([program() ?? 'haproxy', '-db', '-f', file], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let output = '';
  let waiting: { readonly pattern: RegExp; readonly resolve: () => void }[] = [];
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const part of stream) {
      output += decoder.decode(part, { stream: true });
      for (const { resolve } of waiting.filter(({ pattern }) => pattern.test(output))) resolve();
      waiting = waiting.filter(({ pattern }) => !pattern.test(output));
    }
  };
  const reading = Promise.all([read(child.stdout), read(child.stderr)]);
  const url = `https://127.0.0.1:${port}`;
  // One connection for each call, so that every call is balanced again.
  const call = (path: string, init?: RequestInit) =>
    fetch(`${url}${path}`, { ...init, keepalive: false, tls: { rejectUnauthorized: false } });
  const running: RunningHaproxy = {
    url,
    fetch: call,
    logged: (pattern) =>
      new Promise((resolve) => {
        if (pattern.test(output)) resolve();
        else waiting.push({ pattern, resolve });
      }),
    async stop() {
      child.kill('SIGKILL');
      await Promise.all([child.exited, reading]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
  const answers = () =>
    call('/healthz').then(
      ({ status }) => status === 200,
      () => false,
    );
  try {
    await until('HAProxy has ended or answers', async () => child.exitCode !== null || (await answers()));
    if (child.exitCode === null) return running;
  } catch {
    // The error below reports it, with HAProxy's output.
  }
  await running.stop();
  throw new Error(`HAProxy did not start:\n${output}`);
}
