/** Every example as a reader would run it: in its own process, with a real gateway and a real chain. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createFlowgate } from '../../client/src/create-flowgate.ts';
import { type Chain, startChain } from '../../devkit/src/chain.ts';
import { deployDevContracts, devContracts } from '../../devkit/src/dev-contracts.ts';
import { type NodeProvider, startNodeProvider } from '../../devkit/src/node-provider.ts';
import { publishApp } from '../../devkit/src/publish-app.ts';
import { type SampleApps, startSampleApps } from '../../devkit/src/sample-apps.ts';
import { signingSecretOf } from '../../devkit/src/signing-secret.ts';
import { examples, runExample } from './run-example.ts';
import { startTap, type Tap } from './tap.ts';

/** bridge-example.test.ts runs `bridge.ts`, devkit/src/apps/bridge-withdrawal.test.ts `flow-bridge.ts`. */
const scripts = [
  'bridge.ts',
  'curl.sh',
  'eip1193.ts',
  'ethers.ts',
  'flow-bridge.ts',
  'flow-deploy.ts',
  'flow-paid-report.ts',
  'flow-run.ts',
  'flow-transfer.ts',
  'flowgate.ts',
  'resources.ts',
  'subscribe.ts',
  'usage.ts',
  'viem.ts',
  'web3.ts',
  'webhooks.ts',
];

let chain: Chain;
let apps: SampleApps;
let nodeProvider: NodeProvider;
let directory: string;
let gateway: RunningGateway;
let tap: Tap;
let variables: Readonly<Record<string, string>>;

beforeAll(async () => {
  chain = await startChain();
  const network = { dlt: 'ethereum', networkId: 'dev', name: 'Local development chain', chainId: 31337, default: true };
  directory = mkdtempSync(join(tmpdir(), 'flowgate-examples-'));
  const signingSecret = (appId: string) => signingSecretOf('pepper', appId);
  apps = await startSampleApps({ rpcUrl: chain.url, chainId: 31337, directory, signingSecret });
  nodeProvider = startNodeProvider({ rpcUrl: chain.url });
  await deployDevContracts({ rpcUrl: chain.url });
  const staking = [{ contractId: 'dev-staking', address: devContracts.staking }];
  gateway = await startGateway({
    config: {
      networks: [{ ...network, confirmations: 1, staking, nodes: [{ nodeId: 'dev-1', url: chain.url }] }],
      providers: [{ providerId: 'local', name: 'Local', domains: ['127.0.0.1'] }],
      outbound: { allowPrivateHosts: ['127.0.0.1'] },
      flow: { facilitatorUrl: apps.facilitatorUrl },
      // All examples, one after the other, as one user.
      limits: { userPerMinute: 3000 },
      usage: { writeSeconds: 0.2 },
    },
  });
  const publisher = createFlowgate({
    url: gateway.url,
    fetch: checkedFetch,
    token: gateway.token('admin'),
  });
  for (const publication of apps.publications) await publishApp(publisher, publication);
  const { apiKey } = await gateway.mint('alice');
  tap = startTap(gateway.url);
  variables = {
    FLOWGATE_URL: tap.url,
    FLOWGATE_API_KEY: apiKey,
    FLOWGATE_TOKEN: gateway.token('alice'),
    FLOWGATE_NODE_PROVIDER: nodeProvider.url,
  };
});
afterAll(async () => {
  await tap?.stop();
  await gateway?.stop();
  await nodeProvider?.stop();
  await apps?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  await chain?.stop();
});

/** Fails unless the example ended successfully, without output on standard error, and without printing a credential. */
async function lines(file: string, url = tap.url): Promise<string[]> {
  tap.batches.length = 0;
  const { code, output, errors } = await runExample(file, { ...variables, FLOWGATE_URL: url });
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

test('viem reads, deploys, calls and batches with both forms of the key, and shows the three refusals (contract/json-rpc#paths)', async () => {
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

test('ethers reads, deploys, calls and batches with both forms of the key, and shows the three refusals (contract/json-rpc#paths)', async () => {
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

test('web3.js reads, deploys, calls and batches with both forms of the key, and shows the three refusals (contract/json-rpc#paths)', async () => {
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

test('viem receives heads and events over a WebSocket without a gap; a repeated read is answered from the cache (contract/subscriptions)', async () => {
  expect(await lines('subscribe.ts', gateway.url)).toEqual([
    "[socket] chain 31337, subscribed to heads and to one contract's events",
    '[socket] raised to 42, then 43; heads without a gap: true',
    '[trace] the code of the contract: from a node true, then from cache',
  ]);
});

test('Flowgate’s client creates a key, lists, calls, batches and revokes, and the revoked key is refused (contract/keys)', async () => {
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

test('usage is reported by method and by outcome (contract/usage)', async () => {
  expect(await lines('usage.ts')).toEqual([
    'alice may send 3000 requests a minute',
    'counted 3 × eth_chainId, 2 × eth_gasPrice, of a batch',
    'refused 1: admin_peers is blocked',
    expect.stringMatching(/^this hour: half of the calls with this key within [\d.]+ ms, \d+ of \d+ from memory$/),
  ]);
});

test('a user registers a node, deploys through it, links a wallet, stakes, and is denied by a policy and permitted again (contract/nodes)', async () => {
  expect(await lines('resources.ts')).toEqual([
    expect.stringMatching(/^registered a node at provider local, shown as http:\/\/127\.0\.0\.1:\d+\/v2\/\*\*\*$/),
    expect.stringMatching(/^\[refused\] the same node again: 409 /),
    expect.stringMatching(/^\[refused\] a node of an unknown provider: 400 .*url/),
    expect.stringMatching(/^called it: block \d+$/),
    expect.stringMatching(/^deployed a contract through it, and found it: deployed at 0x[0-9a-fA-F]{40}$/),
    expect.stringMatching(/^linked 0x[0-9a-fA-F]{40}, a wallet of kind account$/),
    expect.stringMatching(/^\[refused\] the same challenge again: 4\d\d /),
    expect.stringMatching(/ → success$/),
    expect.stringMatching(/ → success$/),
    'dev-staking: 1000 units of DEVS are staked',
    expect.stringMatching(/^\[refused\] more than is staked: 400 .*1000/),
    expect.stringMatching(/ → success$/),
    expect.stringMatching(/^\[refused\] denied by a policy: 403 /),
    'explained: allowed false, by the policy just made: true',
    'allowed again: gas price known',
    'removed the node and the wallet',
  ]);
});

test('curl reads and batches with both forms of the key, and shows refusals of the gateway and of the node (contract/json-rpc#paths)', async () => {
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

const hash = '0x[0-9a-f]{64}';

test('the deployment flow prepares, signs and executes twice, each once for repeated submissions', async () => {
  const deployed = (number: number) => [
    'choose → prepare → Sign the deployment',
    'sign → deploy → Deployed',
    expect.stringMatching(new RegExp(`^deployed 0x[0-9a-fA-F]{40}, number ${number}$`)),
    'submitted again: the same answer',
  ];
  expect(await lines('flow-deploy.ts')).toEqual([
    'started flowgate/deploy-contract 1.0.0: Deploy a contract',
    expect.stringMatching(/^\[refused\] no one pays: 400 urn:svc:error:bad-request from: is required/),
    ...deployed(41),
    'result → another → Deploy a contract',
    ...deployed(7),
    'result → finish → Done',
    'session completed',
    'deployments stored by the app: 2',
    expect.stringMatching(/^events: 1 session_created, 2 step_submitted, .* contract_deployed, .* session_completed$/),
  ]);
});

test('the transfer flow begins at the given start step, branches above a hundred, and stores a history', async () => {
  const description = (amount: string) =>
    expect.stringMatching(new RegExp(`^${amount} development dollars to 0x7099.*: sent in block \\d+\\.$`));
  expect(await lines('flow-transfer.ts')).toEqual([
    'started flowgate/token-transfer 1.0.0: Whose balance?',
    'check-balance → check → Balance',
    expect.stringMatching(/^0x15d34.* has 10000 development dollars\.$/),
    'balance → transfer → Transfer development dollars',
    expect.stringMatching(/^\[refused\] more than there is: 400 .* amount: The balance is 10000\.$/),
    expect.stringMatching(/^\[refused\] not an amount: 400 .* amount: must be an amount/),
    'transfer → prepare → Sign the transfer',
    'sign → send → Sent',
    description('12.5'),
    'sent → another → Transfer development dollars',
    'transfer → prepare → A large amount',
    'confirm → confirm → Sign the transfer',
    'sign → send → Sent',
    description('150'),
    'sent → finish → Done',
    'session completed',
    'transfers stored by the app: 2',
    expect.stringMatching(/^events: 1 session_created, .* transfer_sent, .* session_completed$/),
  ]);
});

test('the report flow is paid once with x402, and shows figures of the chain', async () => {
  const said = (text: string) => expect.stringMatching(new RegExp(`^${text}$`));
  expect(await lines('flow-paid-report.ts')).toEqual([
    'started flowgate/paid-report 1.0.0: A report about the newest blocks',
    'order → order → Pay for the report',
    said('\\[refused\\] without payment: 402 urn:svc:error:payment-required .*'),
    'asked for 50000 of Flowgate Dev Dollar on eip155:31337',
    said('pay → buy → Blocks \\d+ to \\d+'),
    said(`paid 50000 on eip155:31337 with transaction ${hash}`),
    said('Transactions: \\d+'),
    said('Gas used: \\d+'),
    said('Base fee of the last block: \\d+ wei'),
    'Development dollars in the world: 80000',
    'session completed',
    'submitted again: the same receipt',
    'reports stored by the app: 1',
    'events: 1 session_created, 2 step_submitted, 3 step_submitted, 4 report_sold, 5 session_completed',
  ]);
});

test('a provider works with ethers and viem, sends, subscribes, and refuses with the codes of EIP-1193', async () => {
  const printed = await lines('eip1193.ts', gateway.url);
  expect(printed.filter((line) => !line.startsWith('connected'))).toEqual([
    'ethers: chain 31337, viem: chain 31337',
    'a transaction is success, and its subscription received the head: true',
    'unsubscribed: true',
    '[refused] a wallet’s business: 4200 eth_requestAccounts needs a wallet: a gateway holds no accounts.',
    '[refused] blocked method: 4200 Method not allowed.',
    '[refused] another chain: 4902 The gateway serves no chain 65535.',
  ]);
  expect(printed).toContain('connected to chain 31337');
});

test('a run of an app answers, signs once, is interrupted and continues from its journal to the end', async () => {
  expect(await lines('flow-run.ts')).toEqual([
    'transfer → prepare',
    expect.stringMatching(/^\[refused\] amount: ./),
    'transfer → prepare',
    'signed by the wallet',
    'left at sign, stored: sessionId, signed',
    'sign → send',
    'sent → finish',
    'over: session completed, journal empty',
  ]);
});

test('an endpoint receives the end of a session once, and answers 400 to unsigned requests (contract/events#webhooks)', async () => {
  expect(await lines('webhooks.ts')).toEqual([
    'received: session_cancelled of flowgate/token-transfer',
    'the session that was cancelled: true',
    '[refused] signature: No signature in webhook-signature matches this body and one of these secrets.',
    'a forged delivery is answered 400',
  ]);
});

test('an example without its environment names the variables to set, and exits with 2', async () => {
  for (const file of scripts) {
    const { code, output, errors } = await runExample(file, { FLOWGATE_URL: gateway.url });
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toMatch(/^Please set .*FLOWGATE_(API_KEY|TOKEN).*: npm start prints them\./);
  }
});

test('every example is tested', () => {
  const parts = ['bridge-chains.ts', 'counter.ts', 'example-settings.ts', 'flow-walk.ts'];
  const found = readdirSync(examples).filter((name) => /\.(ts|sh)$/.test(name) && !parts.includes(name));
  expect(found.toSorted()).toEqual(scripts);
});
