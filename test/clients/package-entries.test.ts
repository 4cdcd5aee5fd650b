/**
 * The packed package outside of the repository, with a real gateway: every entry on Node.js, bundled by Vite in a
 * browser and in a worker, and the size of a bundle.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@flowgate/testing/until';
import type { Browser } from 'playwright-core';
import { chromiumMissing, startBrowser } from '../../apps/gateway/test/fixtures/browser.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { type SimNode, startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';
import { type PackedProject, packedProject } from './packed-project.ts';

const vite = join(import.meta.dir, '../../node_modules/vite/dist/node/index.js');
const chain = createSimChain({ seed: 12, logs: 0 });
chain.mine(10);
let node: SimNode;
let project: PackedProject;
let gateway: RunningGateway;
let apiKey: string;

beforeAll(async () => {
  node = startSimNode(chain);
  const network = { dlt: 'ethereum', networkId: 'dev', name: 'A simulated chain', chainId: chain.chainId };
  const nodes = [{ nodeId: 'sim-1', url: node.httpUrl, wsUrl: node.socketUrl }];
  const cors = { origins: ['http://127.0.0.1:*'] };
  const config = { server: { cors }, networks: [{ ...network, default: true, nodes }] };
  [project, gateway] = await Promise.all([packedProject(), startGateway({ config })]);
  apiKey = (await gateway.mint('alice')).apiKey;
  cpSync(join(import.meta.dir, 'packed'), project.directory, { recursive: true });
  for (const name of ['viem', 'ws'])
    symlinkSync(join(import.meta.dir, '../../node_modules', name), join(project.directory, 'node_modules', name));
});
afterAll(async () => {
  await gateway?.stop();
  node?.stop();
  if (project !== undefined) rmSync(project.root, { recursive: true, force: true });
});

/** Blocks are mined until it has ended, so that every subscription receives one. */
async function whileMining<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  await until('it has ended', () => {
    chain.mine();
    return isOver;
  });
  return work;
}

test('on Node.js every entry works with a gateway, including viem over a WebSocket of the package ws', async () => {
  const { code, output, errors } = await whileMining(project.run(['node', 'node.js', gateway.url, apiKey]));
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(JSON.parse(output)).toEqual([
    ['A simulated chain'],
    [403, 'string'],
    [true, true],
    ['0x7a69', true],
    ['failed', 404],
    false,
  ]);
});

test('a bundle omits unused code: without viem, Flow Apps’ runs and webhooks, the client is small (docs/decisions/0115)', async () => {
  const names = ['createFlowgate', 'verifyWebhook', 'FlowgateError'];
  for (const name of names)
    await Bun.write(join(project.directory, `${name}.js`), `export { ${name} } from '@flowgate/client';\n`);
  const { code, output, errors: said } = await project.run(['node', 'build.js', vite, ...names]);
  expect({ code, errors: said }).toEqual({ code: 0, errors: '' });
  const [[bytes, brotli], [webhooks], [errors]] = JSON.parse(output);
  console.log(
    `createFlowgate alone: ${bytes} bytes, ${brotli} with brotli; verifyWebhook ${webhooks}, FlowgateError ${errors}`,
  );
  // 27,800 and 8,100 when this was written.
  expect([bytes < 40_000, brotli < 12_000]).toEqual([true, true]);
  expect([webhooks < 4_000, errors < 4_000]).toEqual([true, true]);
});

test('the compiler accepts viem’s clients with the transport, in strict mode, including declarations', async () => {
  await Bun.write(
    join(project.directory, 'use.ts'),
    `import { flowgate, type FlowgateTransport, type FlowgateWebSocketTransport } from '@flowgate/client/viem';
import { createPublicClient, createWalletClient, fallback, http, type Hash } from 'viem';
import { mainnet } from 'viem/chains';
const options = { url: 'https://rpc.example.com', apiKey: 'fk_test' };
const transport: FlowgateTransport = flowgate({ ...options, network: { dlt: 'ethereum', networkId: 'mainnet' }, batch: { size: 10 } });
const socket: FlowgateWebSocketTransport = flowgate({ ...options, webSocket: true, onGap: () => undefined });
export const client = createPublicClient({ chain: mainnet, transport: fallback([transport, http()]) });
export const live = createPublicClient({ chain: mainnet, transport: socket });
export const stop: () => void = live.watchBlocks({ emitMissed: true, onBlock: ({ number }) => Number(number) });
export const block: Promise<bigint> = client.getBlockNumber();
export const send = (serializedTransaction: Hash): Promise<Hash> => createWalletClient({ transport }).sendRawTransaction({ serializedTransaction });
live.transport.close();
// @ts-expect-error a transport over HTTP has no connection
createPublicClient({ transport }).transport.close();
// @ts-expect-error JSON-RPC takes keys only
flowgate({ url: '', token: '' });
`,
  );
  // viem's own declarations are checked as well, which takes seconds; once is enough.
  const [module, moduleResolution] = ['NodeNext', 'NodeNext'];
  const options = { target: 'ES2022', lib: ['ES2022', 'DOM'], module, moduleResolution, types: [], strict: true };
  const compilerOptions = { ...options, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false };
  await Bun.write(join(project.directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  const tsc = join(import.meta.dir, '../../node_modules/typescript-native/bin/tsc');
  const { code, output } = await project.run(['node', tsc, '-p', '.']);
  expect([output, code]).toEqual(['', 0]);
});

describe.skipIf(chromiumMissing !== undefined)('bundled by Vite, in a browser', () => {
  let browser: Browser;
  let site: Bun.Server<undefined>;

  beforeAll(async () => {
    const { code, output, errors } = await project.run(['node', 'build.js', vite, 'index.html']);
    if (code !== 0) throw new Error(output + errors);
    const bundle = join(project.directory, 'bundle-index.html');
    site = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        const { pathname } = new URL(url);
        const wanted = pathname === '/' ? '/index.html' : pathname;
        const isThere = readdirSync(bundle, { recursive: true, encoding: 'utf8' }).includes(wanted.slice(1));
        return isThere ? new Response(Bun.file(join(bundle, wanted))) : new Response(null, { status: 404 });
      },
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop(true);
  });

  test('a page of another origin, and a worker, call and subscribe over a WebSocket with viem and the provider, and show no key', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${site.port}/`);
    const given = JSON.stringify({ url: gateway.url, apiKey, token: gateway.token('alice') });
    await page.waitForFunction('globalThis.walk !== undefined');
    expect(await whileMining(page.evaluate(`globalThis.walk(${given})`))).toEqual({
      me: 'alice',
      reported: [['string', 300, 1]],
      refusal: [403, 'string'],
      viem: [true, true, true, 'Invalid credentials.'],
      provider: ['0x7a69', true, true],
      worker: ['alice', '0x7a69'],
      shown: false,
    });
    expect(complaints).toEqual([]);
  });
});
