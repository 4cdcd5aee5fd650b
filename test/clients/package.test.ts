/**
 * The package as users have it: packed, installed into an empty project, run by Node.js, checked by the compiler,
 * bundled.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedPackages } from '@flowgate/testing/installed-packages';
import { signWebhook } from '../../apps/gateway/src/flow/signing/webhook-signature.ts';
import manifest from '../../client/package.json';

const repository = join(import.meta.dir, '..', '..');
const directory = mkdtempSync(join(tmpdir(), 'flowgate-package-'));
const project = join(directory, 'project');
let packed: string;

async function run(command: readonly string[], cwd = project) {
  // With the machine's own npm settings.
  const child = Bun.spawn([...command], { cwd, env: process.env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, output: output.trim(), errors };
}

beforeAll(async () => {
  const made = await run(['npm', 'pack', '--silent', '--pack-destination', directory], join(repository, 'client'));
  if (made.code !== 0) throw new Error(made.output + made.errors);
  packed = join(directory, made.output.split('\n').at(-1) ?? '');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const installed = await run(['npm', 'install', '--offline', '--no-audit', '--no-fund', packed]);
  if (installed.code !== 0) throw new Error(installed.errors);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('it contains JavaScript, declarations, maps and their sources; no tests, and no other package', async () => {
  const listed = (await run(['tar', 'tzf', packed], directory)).output.split('\n').map((path) => path.slice(8));
  const below = readdirSync(join(repository, 'client/src'), { recursive: true, encoding: 'utf8' });
  const sources = below.filter((name) => name.endsWith('.ts'));
  const parts = sources.flatMap((name) =>
    ['.js', '.js.map', '.d.ts', '.d.ts.map'].map((ending) => `dist/${name.replace(/\.ts$/, ending)}`),
  );
  const expected = ['LICENSE', 'README.md', 'package.json', ...sources.map((name) => `src/${name}`), ...parts];
  expect(listed.toSorted()).toEqual(expected.toSorted());
  expect(listed.filter((path) => path.includes('.test.'))).toEqual([]);
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@flowgate']);
  expect(Object.keys(manifest)).not.toContain('dependencies');
});

test('the files of all entries exist, as JavaScript for every runtime and as declarations', async () => {
  const installed = join(project, 'node_modules/@flowgate/client');
  for (const entry of Object.values(manifest.exports)) {
    for (const path of typeof entry === 'string' ? [entry] : Object.values(entry)) {
      expect([path, await Bun.file(join(installed, path)).exists()]).toEqual([path, true]);
    }
  }
  const built = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  for (const name of built.filter((each) => /\.(js|d\.ts)$/.test(each))) {
    expect([name, (await Bun.file(join(installed, 'dist', name)).text()).match(/from '\.{1,2}\/[^']+\.ts'/g)]).toEqual([
      name,
      null,
    ]);
  }
});

test('in Node.js and in Bun, it calls, throws FlowgateError and verifies a webhook, without a build or a flag (package.json, engines)', async () => {
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'session_completed',
    timestamp: '2026-11-21T10:00:00.000Z',
    data: {},
  });
  const secret = 'a secret of my own';
  const headers = signWebhook({ secret, id: 'evt_1', atMs: Date.now(), body });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      if (url.endsWith('/users/me/id')) return Response.json({ id: 'alice' });
      return Response.json(
        { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Invalid credentials.' } },
        { status: 403 },
      );
    },
  });
  const input = JSON.stringify({ baseUrl: `http://127.0.0.1:${server.port}`, headers, body, secret });
  writeFileSync(
    join(project, 'run.js'),
    `import { createFlowgate, FlowgateError, verifyWebhook, WebhookError } from '@flowgate/client';
import { verifyWebhook as same } from '@flowgate/client/webhooks';
const { baseUrl, headers, body, secret } = JSON.parse(process.argv[2]);
const client = createFlowgate({ url: baseUrl, apiKey: 'fk_test' });
const refusal = await client.rpc('eth_chainId').catch((error) => error);
const event = await verifyWebhook({ headers, body }, { secret });
const forged = await verifyWebhook({ headers, body: body + ' ' }, { secret }).catch((error) => error);
console.log(JSON.stringify([await client.me(), refusal instanceof FlowgateError, refusal.code, event.id, forged instanceof WebhookError, forged.problem, same === verifyWebhook]));
`,
  );
  const ended = await Promise.all([run(['node', 'run.js', input]), run([process.execPath, 'run.js', input])]);
  await server.stop(true);
  for (const { code, output, errors } of ended) {
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(JSON.parse(output)).toEqual([{ id: 'alice' }, true, -32001, 'evt_1', true, 'signature', true]);
  }
});

test('the compiler finds its types with each way of resolving modules, including declarations', async () => {
  const sources = join(repository, 'client/src');
  const files = ['wire.ts', 'generated/bodies.ts'].map((name) => Bun.file(join(sources, name)).text());
  const wire = (await Promise.all(files)).join('');
  const types = [...wire.matchAll(/^export type (\w+)(<)?/gm)].map(([, name = '', generic]) => ({ name, generic }));
  expect(types.length).toBeGreaterThan(100);
  writeFileSync(
    join(project, 'use.ts'),
    `import { createFlowgate, FlowgateError, type Flowgate, type Paged, type CallOptions, verifyWebhook } from '@flowgate/client';
import type { ${[...new Set(types.map(({ name }) => name))].join(', ')} } from '@flowgate/client';
import type { RenderRequest as Same } from '@flowgate/client/flow-wire';
import { type FlowgateProvider, flowgateProvider, ProviderRpcError } from '@flowgate/client/eip1193';
import { createFlowRun, type FlowRun, type FlowRunRecord, type FlowRunState, runFlow } from '@flowgate/client/flow';
export const provider: FlowgateProvider = flowgateProvider({ url: 'http://127.0.0.1:1', apiKey: () => 'fk_test' }).on('message', ({ type, data }) => [type, data]);
export const codeOf = (error: unknown): number => (error instanceof ProviderRpcError ? error.code : 0);
export async function walk(record: FlowRunRecord): Promise<FlowRunState> {
  const run: FlowRun = createFlowRun(client.flow.sessions, { record });
  return runFlow(run, { answer: async ({ session }) => ({ actionId: session.currentStep.actions[0]?.actionId ?? '' }) });
}
export type All = [${types.map(({ name, generic }) => (generic === undefined ? name : `${name}<unknown>`)).join(', ')}];
export const same = (request: Same): RenderRequest => request;
export const client: Flowgate = createFlowgate({ url: 'http://127.0.0.1:1', apiKey: 'fk_test' });
export async function use(options: CallOptions, networks: Paged<NetworkRecord>): Promise<string> {
  try {
    for await (const { chainId } of networks.list(options)) if (chainId === 1) return 'main';
    const event: WebhookBody = await verifyWebhook({ headers: new Headers(), body: '' }, { secret: 'x' });
    return event.type;
  } catch (error) {
    return error instanceof FlowgateError ? error.kind : 'other';
  }
}
// @ts-expect-error there is no such option
createFlowgate({ url: '', apiKey: '', retries: 1 });
`,
  );
  const ways = [
    ['NodeNext', 'NodeNext'],
    ['Node16', 'Node16'],
    ['ESNext', 'Bundler'],
  ] as const;
  for (const [module, moduleResolution] of ways) {
    const options = { target: 'ES2022', lib: ['ES2022', 'DOM'], module, moduleResolution, types: [], strict: true };
    const compilerOptions = { ...options, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    // The current version, and the last one of the previous major version.
    const older = module === 'NodeNext' ? ['node_modules/typescript'] : [];
    for (const compiler of ['node_modules/typescript-native', ...older]) {
      const { code, output } = await run(['node', join(repository, compiler, 'bin/tsc'), '-p', '.']);
      expect([compiler, moduleResolution, output, code]).toEqual([compiler, moduleResolution, '', 0]);
    }
  }
});

test('bundlers include the used code, as JavaScript for browsers', async () => {
  const entry = join(project, 'browser.js');
  writeFileSync(entry, "import { verifyWebhook } from '@flowgate/client';\nglobalThis.verify = verifyWebhook;\n");
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser' });
  const texts = await Promise.all(outputs.map((output) => output.text()));

  const webpack = join(await installedPackages(join(import.meta.dir, 'webpack')), 'node_modules/webpack');
  writeFileSync(
    join(project, 'bundle.cjs'),
    `const webpack = require(${JSON.stringify(webpack)});
webpack({ mode: 'production', context: __dirname, entry: './browser.js', output: { path: __dirname, filename: 'packed.js' } }, (error, stats) => {
  console.log(error ?? stats.toString({ preset: 'errors-warnings' }));
});
`,
  );
  expect(await run(['node', 'bundle.cjs'])).toEqual({ code: 0, output: 'webpack compiled successfully', errors: '' });
  texts.push(await Bun.file(join(project, 'packed.js')).text());
  for (const text of texts)
    expect([text.includes('webhook-signature'), text.includes('X-API-Key')]).toEqual([true, false]);
});
