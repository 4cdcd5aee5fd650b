/**
 * A user's resources with Flowgate's client and viem's signatures: a node, a deployment, a wallet, a stake, a policy. `bun client/examples/resources.ts`, see
 * README.md.
 */

import { createFlowgate, FlowgateError, type PreparedTransactions } from '@flowgate/client';
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { counterAbi, counterBytecode } from './counter.ts';
import { developmentKeys, readSettings } from './example-settings.ts';

const names = ['FLOWGATE_URL', 'FLOWGATE_API_KEY', 'FLOWGATE_TOKEN', 'FLOWGATE_NODE_PROVIDER'] as const;
const settings = readSettings(...names);
const { FLOWGATE_URL: baseUrl, FLOWGATE_API_KEY: apiKey } = settings;
const keyId = apiKey.slice('fk_'.length).split('.')[0] ?? '';
const network = { dlt: 'ethereum', networkId: 'dev' };
const account = privateKeyToAccount(developmentKeys.resources);

// A key calls and reads; changing policies needs a token. Both belong to the same user.
const service = createFlowgate({ url: baseUrl, apiKey, retry: { retries: 2 } });
const person = createFlowgate({ url: baseUrl, token: settings.FLOWGATE_TOKEN });

/** A cleanup that fails must not prevent the others. */
const undo: (() => Promise<void>)[] = [];
try {
  const nodeId = await registerNode();
  await deployThrough(nodeId);
  await linkWallet();
  await stake();
  await beDeniedAndLetIn(nodeId);
} finally {
  for (const step of undo.toReversed()) await step();
}
console.log('removed the node and the wallet');

/** The key in the path belongs to the provider. Here each key is valid, and a new one makes a new address. */
async function registerNode(): Promise<string> {
  const providerKey = crypto.randomUUID().replaceAll('-', '');
  const input = { ...network, url: `${settings.FLOWGATE_NODE_PROVIDER}/${providerKey}`, label: 'resources example' };
  const { nodeId, providerId, url } = await service.nodes.register(input);
  undo.push(() => service.nodes.remove(nodeId));
  console.log(`registered a node at provider ${providerId}, shown as ${url}`);
  await showRefusal('the same node again', service.nodes.register(input));
  await showRefusal(
    'a node of an unknown provider',
    service.nodes.register({ ...input, url: 'https://nodes.example/v2/k'.padEnd(48, '0') }),
  );
  const block = await service.rpc('eth_blockNumber', [], { node: { dlt: network.dlt, nodeId } });
  console.log(`called it: block ${Number(block)}`);
  return nodeId;
}

async function deployThrough(nodeId: string): Promise<void> {
  const { reader, wallet } = viemThrough(`${baseUrl}/dlts/${network.dlt}/nodes/${nodeId}/rpc`);
  const hash = await wallet.deployContract({ abi: counterAbi, bytecode: counterBytecode, args: [1n] });
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  const found = await eventually('the deployment is settled', async () => {
    for await (const each of service.deployedContracts.list({ filter: network }))
      if (each.transactionHash === hash && each.status !== 'pending') return each;
    return undefined;
  });
  if (found.address.toLowerCase() !== contractAddress) throw new Error('the gateway found another address');
  console.log(`deployed a contract through it, and found it: ${found.status} at ${found.address}`);
}

async function linkWallet(): Promise<void> {
  const { address } = account;
  for await (const linked of service.wallets.list())
    if (linked.address === address) await service.wallets.unlink(address);
  const { message } = await service.wallets.challenge({ address });
  const { kind } = await service.wallets.link({ message, signature: await account.signMessage({ message }) });
  undo.push(() => service.wallets.unlink(address));
  console.log(`linked ${address}, a wallet of kind ${kind}`);
  await showRefusal(
    'the same challenge again',
    service.wallets.link({ message, signature: await account.signMessage({ message }) }),
  );
}

async function stake(): Promise<void> {
  const pool = { contractId: 'dev-staking', ...network, wallet: account.address };
  await send(await service.stakes.prepare({ ...pool, action: 'stake', amount: '1000' }));
  for await (const { wallet, contractId, staked, stakingToken } of service.stakes.list())
    if (wallet === account.address) console.log(`${contractId}: ${staked} units of ${stakingToken.symbol} are staked`);
  await showRefusal(
    'more than is staked',
    service.stakes.prepare({ ...pool, action: 'unstake', amount: '9'.repeat(30) }),
  );
  await send(await service.stakes.prepare({ ...pool, action: 'exit' }));
}

/** In the prepared order: an approval precedes the transaction that needs it. */
async function send({ transactions }: PreparedTransactions): Promise<void> {
  const { reader, wallet } = viemThrough(`${baseUrl}/rpc`);
  for (const { to, data, value, gas, description } of transactions) {
    const hash = await wallet.sendTransaction({
      ...{ to: to as Hex, data: data as Hex, value: BigInt(value), gas: BigInt(gas) },
    });
    const { status } = await reader.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    console.log(`${description} → ${status}`);
  }
}

async function beDeniedAndLetIn(nodeId: string): Promise<void> {
  const call = () => service.rpc('eth_gasPrice', [], { node: { dlt: network.dlt, nodeId } });
  const { policyId } = await person.policies.create({
    name: 'resources example',
    effect: 'deny',
    subjects: [`key:${keyId}`],
    resource: { kind: 'node', id: nodeId },
    methods: ['eth_gas*'],
  });
  try {
    await showRefusal('denied by a policy', call());
    const question = { resource: { kind: 'node', id: nodeId }, method: 'eth_gasPrice', keyId } as const;
    const { allowed, decidedBy } = await person.policies.explain(question);
    console.log(`explained: allowed ${allowed}, by the policy just made: ${decidedBy?.policyId === policyId}`);
  } finally {
    await person.policies.remove(policyId);
  }
  console.log(`allowed again: gas price ${BigInt(String(await call())) > 0n ? 'known' : 'none'}`);
}

function viemThrough(url: string) {
  const transport = http(url, { fetchOptions: { headers: { 'X-API-Key': apiKey } } });
  return {
    reader: createPublicClient({ chain: foundry, transport, cacheTime: 0 }),
    wallet: createWalletClient({ account, chain: foundry, transport }),
  };
}

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const endMs = performance.now() + 30_000; performance.now() < endMs; ) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`waited in vain until ${what}`);
}

async function showRefusal(what: string, call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (!(error instanceof FlowgateError)) throw new Error(`${what}: was not refused as expected`, { cause: error });
  console.log(`[refused] ${what}: ${error.status} ${error.message}`);
}
