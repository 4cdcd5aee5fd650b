import { afterEach, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config-file.ts';
import type { WorkerHandle } from '../platform/supervision/supervisor.ts';
import { beginWorker } from './worker-process.ts';

const text =
  'identity: { issuer: "https://login.example.com", audience: x }\nkeys: { peppers: ["0123456789012345678901234567890123456789"] }';

function anyConfig(): Config {
  const loaded = readConfig(text, {});
  if (!loaded.ok) throw new Error('the configuration is wrong');
  return loaded.config;
}

let lines = '';
let begun: WorkerHandle[] = [];
afterEach(() => {
  for (const handle of begun) handle.kill();
  for (const pid of lines.match(/(?<=left )\d+/g) ?? []) process.kill(Number(pid), 'SIGKILL');
  begun = [];
  lines = '';
});

/** A process that is not a gateway: it reports that it listens, and then runs the script. */
function begin(script: string): WorkerHandle {
  const words = [process.execPath, '-e', `process.send({ kind: 'listening' }); ${script}`];
  const writeLog = (some: string) => {
    lines += some;
  };
  const parts = { writeLog, listenFd: 0, lastMetrics: () => {}, unreadyOthers: async () => [] };
  const handle = beginWorker(1, anyConfig(), parts, { words, environment: () => process.env });
  begun.push(handle);
  return handle;
}

test('a worker is over when its process is, though what that has begun keeps its output open', async () => {
  const { ended } = begin(`const left = Bun.spawn(['sleep', '300'], { stdout: 'inherit' });
    process.on('message', () => { console.log('left ' + left.pid); process.exit(7); });`);
  expect(await ended).toBe(7);
  expect(lines).toMatch(/^left \d+\n$/);
});

test('a worker that has closed its channel is asked to drain all the same, and ends by a signal', async () => {
  const { drain, kill, ended } = begin(`setInterval(() => {}, 1_000);
    process.on('message', () => { process.disconnect(); console.log('closed'); });`);
  await until('the channel is closed', () => lines === 'closed\n');
  drain('SIGTERM');
  kill();
  expect(await ended).toBeNull();
});
