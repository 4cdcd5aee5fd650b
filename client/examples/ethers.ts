/** ethers 6 through Flowgate: `bun client/examples/ethers.ts`, see README.md. */

import { Contract, ContractFactory, FetchRequest, isError, JsonRpcProvider, Network, Wallet } from 'ethers';
import { counterAbi, counterBytecode } from './counter.ts';
import { developmentKeys, readSettings, unknownKey } from './example-settings.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const network = Network.from(31337);

await showCalls('header', requestWithHeader(apiKey));
await showCalls('path', new FetchRequest(`${url}/rpc/${apiKey}`));
await showRefusal('unknown key', requestWithHeader(unknownKey), 'eth_blockNumber');
await showRefusal('blocked method', requestWithHeader(apiKey), 'txpool_status');
await showRefusal('missing key', new FetchRequest(`${url}/rpc`), 'eth_blockNumber');

function requestWithHeader(key: string): FetchRequest {
  const request = new FetchRequest(`${url}/rpc`);
  request.setHeader('X-API-Key', key);
  return request;
}

/** Without `staticNetwork`, ethers requests the chain id first; when the key is refused, it repeats the request each second until `destroy()`. */
function connect(request: FetchRequest, batchMaxCount: number): JsonRpcProvider {
  return new JsonRpcProvider(request, network, {
    staticNetwork: network,
    batchMaxCount,
    pollingInterval: 100,
    cacheTimeout: -1,
  });
}

async function showCalls(form: string, request: FetchRequest): Promise<void> {
  const provider = connect(request, 100);
  const wallet = new Wallet(developmentKeys.ethers, provider);
  const say = (text: string) => console.log(`[${form}] ${text}`);

  say(`block ${await provider.getBlockNumber()}, balance ${await provider.getBalance(wallet.address)} wei`);

  // Signed here, sent as eth_sendRawTransaction: no wallet key ever reaches Flowgate.
  const deployment = await new ContractFactory(counterAbi, counterBytecode, wallet).deploy(41n);
  await deployment.waitForDeployment();
  const counter = new Contract(deployment, counterAbi, wallet);
  const number = counter.getFunction('number');
  say(`deployed ${await deployment.getAddress()}, number ${await number()}`);

  const increment = await counter.getFunction('increment').send();
  await increment.wait();
  say(`after increment: number ${await number()}`);

  // Calls within `batchStallTime` (10 ms) are sent as one JSON-RPC batch of at most `batchMaxCount`.
  const [block, balance, current] = await Promise.all([
    provider.getBlockNumber(),
    provider.getBalance(await counter.getAddress()),
    number(),
  ]);
  say(`batch: block ${block}, balance ${balance}, number ${current}`);
  provider.destroy();
}

/** ethers checks the HTTP status first: a 401 or 403 is a SERVER_ERROR, with the gateway's JSON-RPC error as text in `info.responseBody`. */
async function showRefusal(what: string, request: FetchRequest, method: string): Promise<void> {
  const provider = connect(request, 1);
  const error: unknown = await provider.send(method, []).catch((cause: unknown) => cause);
  provider.destroy();
  if (!isError(error, 'SERVER_ERROR')) throw new Error(`${what}: was not refused as expected`, { cause: error });
  // Do not print `message` or `info`: with a key in the path, they contain the whole URL.
  console.log(
    `[refused] ${what}: ${error.response?.statusCode} ${error.response?.bodyText} (ethers: ${error.shortMessage})`,
  );
}
