/** The client on its platforms: bundled for Node.js and for browsers, without dependencies. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import manifest from '../../client/package.json';
import { event, session, sse, sseText, startFakeFlow } from '../../client/test/fake-flow.ts';

const entry = join(import.meta.dir, '../../client/src/create-flowgate.ts');
let gateway: RunningGateway;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flowgate-client-'));
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('the client runs on Node.js, the oldest supported version or the installed one (package.json, engines)', async () => {
  await Bun.build({ entrypoints: [entry], outdir: directory, naming: 'client.mjs', target: 'node' });
  await Bun.write(
    join(directory, 'run.mjs'),
    `import { createFlowgate } from './client.mjs';
const [baseUrl, token, silentUrl] = process.argv.slice(2);
const user = createFlowgate({ url: baseUrl, token, retry: { retries: 1 } });
const { apiKey, keyId } = await user.apiKeys.mint({ label: 'node' });
const client = createFlowgate({ url: baseUrl, apiKey });
const outcomes = await client.rpcBatch([{ method: 'eth_blockNumber' }, { method: 'admin_peers' }]);
await user.apiKeys.revoke(keyId);
const labels = [];
for await (const key of user.apiKeys.list({ limit: 1 })) labels.push(key.label);
const refusal = await client.rpc('eth_chainId').catch((error) => error);
const silent = createFlowgate({ url: silentUrl, apiKey, timeoutMs: 50 });
const late = await silent.me().catch((error) => error);
console.log(JSON.stringify([await user.me(), outcomes[0].result, outcomes[1].error.code, labels, refusal.status, late.kind]));
`,
  );
  const silent = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) });
  const settings = [gateway.url, gateway.token('alice'), `http://127.0.0.1:${silent.port}`];
  const child = Bun.spawn(['node', join(directory, 'run.mjs'), ...settings], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await silent.stop(true);
  expect(errors).toBe('');
  expect(JSON.parse(output)).toEqual([{ id: 'alice' }, '0x10', -32601, ['node'], 403, 'no-answer']);
});

test('on Node.js a step is submitted and a session is followed over connections that end (contract/flow-apps)', async () => {
  await Bun.build({ entrypoints: [entry], outdir: directory, naming: 'client.mjs', target: 'node' });
  await Bun.write(
    join(directory, 'follow.mjs'),
    `import { createFlowgate } from './client.mjs';
const { flow } = createFlowgate({ url: process.argv[2], apiKey: 'fk_test' });
const { stateVersion } = await flow.sessions.submit('ses_1', 'start', { actionId: 'next', stateVersion: 1 });
const sequences = [];
for await (const { sequence } of flow.follow('ses_1')) sequences.push(sequence);
const leaving = new AbortController();
const left = (async () => {
  for await (const _ of flow.follow('ses_1', { signal: leaving.signal })) leaving.abort('left');
})().catch((reason) => reason);
console.log(JSON.stringify([stateVersion, sequences, await left]));
`,
  );
  const fake = startFakeFlow(
    () => Response.json(session({ stateVersion: 2 })),
    () => sse(sseText(event(1))),
    () => Response.json(session()),
    () => sse(sseText(event(2), event(3, 'session_completed'))),
    () => sse(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(sseText(event(1)))) })),
  );
  const child = Bun.spawn(['node', join(directory, 'follow.mjs'), fake.baseUrl], { stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await fake.stop();
  expect(errors).toBe('');
  expect(JSON.parse(output)).toEqual([2, [1, 2, 3], 'left']);
  expect(fake.asked.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '0', null, '1', '0']);
});

test('the client has no dependencies, and uses nothing that a browser lacks', async () => {
  expect(Object.keys(manifest)).not.toContain('dependencies');
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', packages: 'external' });
  const text = (await Promise.all(outputs.map((output) => output.text()))).join('\n');
  expect(text).toContain('createFlowgate');
  expect(text).not.toMatch(/\bprocess\b|\bBuffer\b|\bBun\b|node:|\brequire\(/);
  expect(text.match(/^import .*/gm)).toBeNull();
});
