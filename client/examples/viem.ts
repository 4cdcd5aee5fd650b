/** viem through Flowgate: `bun client/examples/viem.ts`, see README.md. */

import {
  BaseError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type HttpTransport,
  http,
  RpcRequestError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { counterAbi, counterBytecode } from './counter.ts';
import { developmentKeys, readSettings, unknownKey } from './example-settings.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const account = privateKeyToAccount(developmentKeys.viem);

const withHeader = (key: string, batch: boolean) =>
  http(`${url}/rpc`, { fetchOptions: { headers: { 'X-API-Key': key } }, batch });

await showCalls('header', withHeader(apiKey, true));
await showCalls('path', http(`${url}/rpc/${apiKey}`, { batch: true }));

// A batch that is refused as a whole gets one error instead of a list; viem then reports that it could not read the answer.
const stranger = createPublicClient({ transport: withHeader(unknownKey, false) });
await showRefusal('unknown key', stranger.getBlockNumber());
const curious = createTestClient({ mode: 'anvil', transport: withHeader(apiKey, false) });
await showRefusal('blocked method', curious.getTxpoolStatus());
const withoutKey = createPublicClient({ transport: http(`${url}/rpc`) });
await showRefusal('missing key', withoutKey.getBlockNumber());

async function showCalls(form: string, transport: HttpTransport): Promise<void> {
  const client = createPublicClient({ chain: foundry, transport, pollingInterval: 100, cacheTime: 0 });
  const wallet = createWalletClient({ account, chain: foundry, transport });
  const say = (text: string) => console.log(`[${form}] ${text}`);

  say(`block ${await client.getBlockNumber()}, balance ${await client.getBalance({ address: account.address })} wei`);

  // Signed here, sent as eth_sendRawTransaction: no wallet key ever reaches Flowgate.
  const deployment = await wallet.deployContract({ abi: counterAbi, bytecode: counterBytecode, args: [41n] });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash: deployment });
  if (contractAddress === null || contractAddress === undefined) throw new Error('No contract was created.');
  const counter = { address: contractAddress, abi: counterAbi } as const;
  say(`deployed ${contractAddress}, number ${await client.readContract({ ...counter, functionName: 'number' })}`);

  const increment = await wallet.writeContract({ ...counter, functionName: 'increment' });
  await client.waitForTransactionReceipt({ hash: increment });
  say(`after increment: number ${await client.readContract({ ...counter, functionName: 'number' })}`);

  // With `batch: true` calls of the same tick are sent as one JSON-RPC batch.
  const [chainId, gasPrice, number] = await Promise.all([
    client.getChainId(),
    client.getGasPrice(),
    client.readContract({ ...counter, functionName: 'number' }),
  ]);
  say(`batch: chain ${chainId}, gas price ${gasPrice > 0n ? 'known' : 'zero'}, number ${number}`);
}

/** viem chooses an error class by code, with a text of its own; the gateway's message is in `details`. */
async function showRefusal(what: string, call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  const cause = error instanceof BaseError ? error.walk((each) => each instanceof RpcRequestError) : undefined;
  if (!(cause instanceof RpcRequestError)) throw new Error(`${what}: was not refused as expected`, { cause: error });
  // Do not print `message`: with a key in the path, it contains the whole URL.
  console.log(`[refused] ${what}: ${cause.code} ${cause.details} (viem: ${nameOf(error)})`);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
