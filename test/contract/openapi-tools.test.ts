/**
 * The OpenAPI document with common tools: two linters report nothing, and a generator creates types
 * (contract/conventions).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedPackages } from '@flowgate/testing/installed-packages';
import { startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const repository = join(import.meta.dir, '../..');
const directory = mkdtempSync(join(tmpdir(), 'flowgate-openapi-'));
const file = join(directory, 'openapi.json');
/** Timeout of the tools. */
let modules: string;

beforeAll(async () => {
  modules = join(await installedPackages(join(import.meta.dir, 'openapi-tools')), 'node_modules');
  const gateway = await startGateway();
  const text = await (await gateway.fetch('/openapi.json')).text();
  await gateway.stop();
  writeFileSync(file, text);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function run(path: string, ...args: readonly string[]) {
  // Prevents network access: no telemetry, no check for a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  const child = Bun.spawn(['node', path, ...args], { cwd: directory, env, stdout: 'pipe', stderr: 'pipe' });
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, stdout, stderr };
}

/** A document with typical faults: no servers, and a tag and an operation without descriptions. */
const poor = {
  openapi: '3.1.0',
  info: { title: 'Poor', version: '1' },
  tags: [{ name: 'Users' }],
  paths: { '/x': { get: { responses: { 200: {} } } } },
};

test('redocly and spectral report nothing with their recommended rules, not even a warning, but many problems of a faulty document', async () => {
  writeFileSync(join(directory, 'poor.json'), JSON.stringify(poor));
  writeFileSync(join(directory, 'redocly.yaml'), 'extends: [recommended]\n');
  writeFileSync(join(directory, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  const redocly = join(modules, '@redocly/cli/bin/cli.js');
  const spectral = join(modules, '@stoplight/spectral-cli/dist/index.js');
  const [first, second] = await Promise.all([
    run(redocly, 'lint', 'openapi.json', 'poor.json', '--config=redocly.yaml', '--format=json'),
    run(spectral, 'lint', 'openapi.json', 'poor.json', '--ruleset=spectral.yaml', '--format=json', '--quiet'),
  ]);
  // One object for each document, in the order of the arguments.
  const [ours, theirs] = first.stdout.split(/(?<=^\})(?=\{)/m).map((each) => JSON.parse(each));
  expect(ours).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  expect(theirs.totals.errors).toBeGreaterThan(2);
  const found: readonly { readonly source: string; readonly code: string }[] = JSON.parse(second.stdout);
  expect(found.filter(({ source }) => !source.endsWith('poor.json'))).toEqual([]);
  expect(found.length).toBeGreaterThan(3);
});

test('openapi-typescript creates types that tsc accepts and whose optional members may be omitted', async () => {
  const made = await run(join(modules, 'openapi-typescript/bin/cli.js'), file, '--immutable', '-o', 'api.ts');
  expect([made.code, made.stderr]).toEqual([0, '']);

  writeFileSync(
    join(directory, 'use.ts'),
    `import type { components, operations, paths, webhooks } from './api.ts';
type Described = components['schemas'];
export const mint: Described['ApiKeyInput'] = { label: 'one' };
const call = { jsonrpc: '2.0', method: 'eth_call' } as const;
export const calls: Described['JsonRpcBatch'] = [call, { ...call, params: [{ to: '0x' }, 'latest'] }, { ...call, params: { a: 1 } }];
// @ts-expect-error params are no text
export const wrong: Described['JsonRpcRequest'] = { ...call, params: 'latest' };
export const field: Described['Field'] = { fieldId: 'a', type: 'text', label: 'A' };
export const action: Described['StepSpec']['actions'][number] = { actionId: 'a', label: 'A' };
export const launch: Described['SessionInput'] = { appId: 'a/b', launchContext: { any: ['thing'] } };
type Of<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never;
export const asked: Of<webhooks['renderStep']['post']['requestBody']> extends Described['RenderRequest'] ? true : false = true;
export const answered: Of<operations['renderStep']['responses']['200']>['step']['title'] = 'Paid';
export const event: Of<webhooks['event']['post']['requestBody']>['data']['appId'] = 'a/b';
export type Replayed = paths['/flow/sessions/{sessionId}/steps/{stepId}']['post']['responses']['200']['headers']['Idempotency-Replayed'];
export const replayed: Replayed = 'true';
`,
  );
  const options = {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    types: [],
    strict: true,
  };
  const strict = {
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    moduleResolution: 'Bundler',
  };
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, ...strict }, files: ['use.ts'] }),
  );
  const checked = await run(join(repository, 'node_modules/typescript-native/bin/tsc'), '-p', '.');
  expect([checked.stdout, checked.code]).toEqual(['', 0]);
});
