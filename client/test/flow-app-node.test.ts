/** The kit for Flow Apps in its authors' environment: Node.js without Bun, its own server, tests by `node --test`. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlowAppTest, newSigningSecret, signMessage } from '../src/flow-app/flow-app.ts';

const directory = mkdtempSync(join(tmpdir(), 'flowgate-node-app-'));
const signingSecret = newSigningSecret();
let server: Bun.Subprocess<'ignore', 'pipe', 'inherit'>;
let url: URL;

const appCode = `import { createFlowApp } from './kit.mjs';
export const app = createFlowApp({ appId: 'acme/guestbook', events: ['signed'], appData: ({ names = [] }) => ({ names }) });
const sign = app.step('sign', {
  title: 'Sign the guestbook',
  fields: { name: { type: 'text', label: 'Your name', required: true, max: 50 } },
  actions: { sign: 'Sign' },
});
const thanks = app.step('thanks', { title: 'Thank you', terminal: true });
app.start(sign);
sign.on('sign', ({ values, appData }) => {
  if (values.name.trim() === '') return sign.reject({ name: 'must not be blank' });
  if (values.name === 'crash') throw new Error('the password is hunter2');
  const names = [...appData.names, values.name];
  return thanks.show({ title: 'Thank you, ' + values.name, appData: { names }, events: [{ type: 'signed', data: { count: names.length } }] });
});
`;

beforeAll(async () => {
  const entry = join(import.meta.dir, '../src/flow-app/flow-app.ts');
  await Bun.build({ entrypoints: [entry], outdir: directory, naming: 'kit.mjs', target: 'node' });
  await Bun.write(join(directory, 'app.mjs'), appCode);
  await Bun.write(
    join(directory, 'serve.mjs'),
    `import { createServer } from 'node:http';
import { createFlowAppHandler, toNodeListener } from './kit.mjs';
import { app } from './app.mjs';
const handler = createFlowAppHandler(app, { signingSecret: process.argv[2], maxBodyBytes: 100_000, onError: () => {} });
const server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1', () => console.log(server.address().port));
`,
  );
  server = Bun.spawn(['node', join(directory, 'serve.mjs'), signingSecret], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const { value } = await server.stdout.getReader().read();
  url = new URL(`http://127.0.0.1:${new TextDecoder().decode(value).trim()}`);
});
afterAll(async () => {
  server?.kill();
  await server?.exited;
  rmSync(directory, { recursive: true, force: true });
});

test('an author’s `node --test` drives the app like a gateway, without a gateway or Bun', async () => {
  await Bun.write(
    join(directory, 'app.test.mjs'),
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFlowAppTest } from './kit.mjs';
import { app } from './app.mjs';
test('a guest signs', async () => {
  const gateway = createFlowAppTest(app);
  const session = await gateway.start();
  assert.deepEqual((await session.submit('sign', {})).errors, [{ fieldId: 'name', message: 'is required' }]);
  assert.deepEqual((await session.submit('sign', { name: ' ' })).errors, [{ fieldId: 'name', message: 'must not be blank' }]);
  await session.submit('sign', { name: 'Ada' });
  assert.equal(session.step.title, 'Thank you, Ada');
  assert.deepEqual([session.status, session.appData, session.events[0].data.count], ['completed', { names: ['Ada'] }, 1]);
  assert.equal((await gateway.send({}, { atMs: 0 })).status, 401);
});
`,
  );
  const child = Bun.spawn(['node', '--test', '--test-reporter=tap', 'app.test.mjs'], {
    cwd: directory,
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const [code, output] = await Promise.all([child.exited, child.stdout.text()]);
  expect([code, output.match(/^# (pass|fail) \d+$/gm)]).toEqual([0, ['# pass 1', '# fail 0']]);
});

test('an app behind Node.js’ server completes a session, with each submission delivered twice', async () => {
  const gateway = createFlowAppTest(url, { signingSecret, appId: 'acme/guestbook', stepIds: ['sign', 'thanks'] });
  const session = await gateway.start();
  await session.submit('sign', { name: 'Grace' });
  expect([session.status, session.step.title]).toEqual(['completed', 'Thank you, Grace']);
  expect(await (await fetch(new URL('/health?probe=1', url))).json()).toEqual({ status: 'ok' });
  const other = await gateway.start();
  await expect(other.submit('sign', { name: 'crash' })).rejects.toThrow('answered 500 {"error":"the app failed"}');
});

/** The server's output for these bytes, until it closes the connection or `until` appears. */
function raw(text: string, until: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(Number(url.port), '127.0.0.1', () => socket.write(text));
    socket.on('error', reject);
    socket.on('close', () => resolve(said));
    socket.on('data', (piece) => {
      said += piece.toString();
      if (until.test(said)) socket.end();
    });
  });
}

test('unsigned, oversized, truncated and unknown requests are refused, and the connection of an unread body is closed', async () => {
  const head = 'POST /renderStep HTTP/1.1\r\nHost: x\r\n';
  const unsigned = await raw(`${head}Content-Length: 9000000\r\n\r\n{`, /never/);
  expect(unsigned).toMatch(/^HTTP\/1\.1 401 [\s\S]*Connection: close/i);
  const forged = 'webhook-id: m\r\nwebhook-timestamp: 1\r\nwebhook-signature: v1,AA==\r\n';
  const huge = await raw(`${head}${forged}Content-Length: 200000\r\n\r\n${'x'.repeat(150_000)}`, /never/);
  expect(huge).toMatch(/^HTTP\/1\.1 413 /);
  for (const path of ['//evil.example/health', 'http://evil.example/health', '/health/../renderStep', '*']) {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, /never/);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
  }
  // A body that ends early: the client is gone, and the server continues.
  await new Promise<void>((resolve) => {
    const socket = connect(Number(url.port), '127.0.0.1', () => {
      socket.write(`${head}${forged}Content-Length: 5000\r\n\r\nabc`, () => socket.destroy());
    });
    socket.on('close', () => resolve());
  });
  const body = '{}';
  const signed = await signMessage({ secret: signingSecret, id: 'm', atMs: Date.now(), body });
  const twice = Object.entries(signed)
    .map(([name, value]) => `${name}: ${value}\r\n${name}: ${value}\r\n`)
    .join('');
  expect(await raw(`${head}${twice}Content-Length: 2\r\nConnection: close\r\n\r\n${body}`, /never/)).toMatch(
    /^HTTP\/1\.1 401 /,
  );
  expect((await fetch(new URL('/health', url))).status).toBe(200);
});
