import { afterEach, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import fc from 'fast-check';
import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/config-file.ts';
import type { WorkerHandle } from './supervisor.ts';
import { beginWorker, wholeLines } from './worker-process.ts';

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

test('a worker has ended when its process has, even if a child of it has its output open', async () => {
  const { ended } = begin(`const left = Bun.spawn(['sleep', '300'], { stdout: 'inherit' });
    process.on('message', () => { console.log('left ' + left.pid); process.exit(7); });`);
  expect(await ended).toBe(7);
  expect(lines).toMatch(/^left \d+\n$/);
});

test('a worker that has closed its channel drains by a signal', async () => {
  const { drain, kill, ended } = begin(`setInterval(() => {}, 1_000);
    process.on('message', () => { process.disconnect(); console.log('closed'); });`);
  await until('the channel is closed', () => lines === 'closed\n');
  drain('SIGTERM');
  kill();
  expect(await ended).toBeNull();
});

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

test('however a text is split, whole lines come out, and all of them', async () => {
  const text = fc
    .array(fc.constantFrom('a', 'ü', '🙂', '\n', '\n\n'), { maxLength: 40 })
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(60), { maxLength: 6 }), async (whole, cuts) => {
      const bytes = Buffer.from(whole);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((one, other) => one - other), bytes.length];
      const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      const written: string[] = [];
      await wholeLines(streamOf(pieces), (lines) => void written.push(lines));
      expect(written.every((lines) => lines.endsWith('\n'))).toBe(true);
      expect(written.join('')).toBe(whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`);
    }),
  );
});

test('a stream that breaks off leaves what has come', async () => {
  const written: string[] = [];
  let pulls = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    pulls += 1;
    if (pulls === 1) controller.enqueue(Buffer.from('one\ntwo'));
    else controller.error(new Error('gone'));
  };
  const broken = new ReadableStream({ pull }, { highWaterMark: 0 });
  await wholeLines(broken, (lines) => void written.push(lines));
  expect(written).toEqual(['one\n', 'two\n']);
});
