/** Every example as a reader would run it: its own process, a real gateway, a real chain (issue 2, Done when). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Chain, startChain } from '../../devkit/src/chain.ts';
import { type RunningGateway, startGateway } from '../../gateway/test/fixtures/running-gateway.ts';
import { startTap, type Tap } from './tap.ts';

const examples = join(import.meta.dir, '..', 'examples');

let chain: Chain;
let gateway: RunningGateway;
let tap: Tap;
let variables: Readonly<Record<string, string>>;

beforeAll(async () => {
  chain = await startChain();
  const network = { dlt: 'ethereum', networkId: 'dev', name: 'Local development chain', chainId: 31337, default: true };
  gateway = await startGateway({
    config: { networks: [{ ...network, nodes: [{ nodeId: 'dev-1', url: chain.url }] }] },
  });
  const { apiKey } = await gateway.mint('alice');
  tap = startTap(gateway.url);
  variables = { FLOWGATE_URL: tap.url, FLOWGATE_API_KEY: apiKey, FLOWGATE_TOKEN: gateway.token('alice') };
});
afterAll(async () => {
  await tap?.stop();
  await gateway?.stop();
  await chain?.stop();
});

async function run(file: string, environment: Readonly<Record<string, string>>) {
  const command = file.endsWith('.sh') ? ['sh', join(examples, file)] : [process.execPath, join(examples, file)];
  const child = Bun.spawn(command, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, output, errors };
}

/** Fails unless the example ended well, without a word on standard error, and without ever printing a credential. */
async function lines(file: string): Promise<string[]> {
  tap.batches.length = 0;
  const { code, output, errors } = await run(file, variables);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  for (const secret of [variables['FLOWGATE_API_KEY'] ?? '', variables['FLOWGATE_TOKEN'] ?? '']) {
    expect(output).not.toContain(secret);
  }
  return output.trimEnd().split('\n');
}

const called = (form: string, batch: string) => [
  expect.stringMatching(new RegExp(`^\\[${form}\\] block \\d+, balance \\d{18,} wei$`)),
  expect.stringMatching(new RegExp(`^\\[${form}\\] deployed 0x[0-9a-fA-F]{40}, number 41$`)),
  `[${form}] after increment: number 42`,
  expect.stringMatching(new RegExp(`^\\[${form}\\] batch: ${batch}$`)),
];

test('viem reads, deploys, calls and batches with both forms of the key, and shows the three refusals (interface, RPC endpoints)', async () => {
  const batch = 'chain 31337, gas price known, number 42';
  expect(await lines('viem.ts')).toEqual([
    ...called('header', batch),
    ...called('path', batch),
    '[refused] unknown key: -32001 Invalid credentials. (viem: ResourceNotFoundRpcError)',
    '[refused] blocked method: -32601 Method not allowed. (viem: MethodNotFoundRpcError)',
    '[refused] missing key: -32000 Missing credentials. (viem: InvalidInputRpcError)',
  ]);
  for (const form of ['header', 'path'] as const) expect(tap.batches).toContainEqual({ form, size: 3 });
});

test('ethers reads, deploys, calls and batches with both forms of the key, and shows the three refusals (interface, RPC endpoints)', async () => {
  const batch = 'block \\d+, balance 0, number 42';
  expect(await lines('ethers.ts')).toEqual([
    ...called('header', batch),
    ...called('path', batch),
    expect.stringMatching(/^\[refused\] unknown key: 403 .*"code":-32001.* \(ethers: server response 403 Forbidden\)$/),
    expect.stringMatching(/^\[refused\] blocked method: 403 .*"code":-32601.*"reason":"method_blocked"/),
    expect.stringMatching(
      /^\[refused\] missing key: 401 .*"code":-32000.* \(ethers: server response 401 Unauthorized\)$/,
    ),
  ]);
  for (const form of ['header', 'path'] as const) expect(tap.batches).toContainEqual({ form, size: 3 });
});

test('web3.js reads, deploys, calls and batches with both forms of the key, and shows the three refusals (interface, RPC endpoints)', async () => {
  const batch = 'chain 31337, block \\d+';
  expect(await lines('web3.ts')).toEqual([
    ...called('header', batch),
    ...called('path', batch),
    '[refused] unknown key: 403 -32001 (web3: Returned error: Invalid credentials.)',
    '[refused] blocked method: 403 -32601 (web3: Returned error: Method not allowed.)',
    '[refused] missing key: 401 -32000 (web3: Returned error: Missing credentials.)',
  ]);
  for (const form of ['header', 'path'] as const) expect(tap.batches).toContainEqual({ form, size: 2 });
});

test('Flowgate’s client mints, lists, calls, batches and revokes, and the revoked key is refused (interface, API key management)', async () => {
  expect(await lines('flowgate.ts')).toEqual([
    'signed in as alice',
    expect.stringMatching(/^minted [0-9A-Za-z]{16}$/),
    expect.stringMatching(/^block \d+$/),
    'network ethereum/dev (Local development chain): chain 31337',
    expect.stringMatching(/^batch: 0x7a69, 0x[0-9a-f]+, -32601 Method not allowed\.$/),
    '[refused] blocked method: 403 -32601 Method not allowed.',
    expect.stringMatching(/^\[refused\] key minting keys: 403 standard /),
    expect.stringMatching(/^listed: "client example", used \d{4}-.*Z, revoked \d{4}-.*Z$/),
    '[refused] revoked key: 403 -32001 Invalid credentials.',
    '[refused] unknown key: 403 -32001 Invalid credentials.',
    expect.stringMatching(/^\[refused\] unknown key, REST: 401 standard /),
  ]);
  expect(tap.batches).toEqual([{ form: 'header', size: 3 }]);
});

test('curl reads and batches with both forms of the key, and shows the gateway’s and the node’s refusals (interface, RPC endpoints)', async () => {
  const answered = (form: string, what: string) =>
    expect.stringMatching(new RegExp(`^\\[${form}\\] ${what}: .*"result":"0x[0-9a-f]+".* \\(HTTP 200\\)$`));
  const refused = (what: string, status: number, code: number) =>
    expect.stringMatching(new RegExp(`^\\[refused\\] ${what}: .*"code":${code},.* \\(HTTP ${status}\\)$`));
  expect(await lines('curl.sh')).toEqual([
    answered('header', 'block number'),
    answered('header', 'balance'),
    answered('header', 'network'),
    expect.stringMatching(/^\[header\] batch: \[\{.*"result".*"result".*"code":-32601.*\}\] \(HTTP 200\)$/),
    answered('path', 'block number'),
    answered('path', 'balance'),
    answered('path', 'batch'),
    refused('unknown key', 403, -32001),
    refused('blocked method', 403, -32601),
    refused('missing key', 401, -32000),
    refused('by the node', 200, -32602),
  ]);
});

test('an example without its environment says what to set, and ends with 2', async () => {
  for (const file of ['viem.ts', 'ethers.ts', 'web3.ts', 'flowgate.ts', 'curl.sh']) {
    const { code, output, errors } = await run(file, { FLOWGATE_URL: gateway.url });
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toMatch(/^Please set .*FLOWGATE_(API_KEY|TOKEN).*: npm start prints them\./);
  }
});

test('no example is left untried', () => {
  const parts = ['counter.ts', 'example-settings.ts'];
  const scripts = readdirSync(examples).filter((name) => /\.(ts|sh)$/.test(name) && !parts.includes(name));
  expect(scripts.toSorted()).toEqual(['curl.sh', 'ethers.ts', 'flowgate.ts', 'viem.ts', 'web3.ts']);
});
