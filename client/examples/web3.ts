/** web3.js 4 through Flowgate: `bun client/examples/web3.ts`, see README.md. */

import { HttpProvider, ResponseError, Web3 } from 'web3';
import { counterAbi, counterBytecode } from './counter.ts';
import { developmentKeys, readSettings, unknownKey } from './example-settings.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');

await showCalls('header', providerWithHeader(apiKey));
await showCalls('path', new HttpProvider(`${url}/rpc/${apiKey}`));
await showRefusal('unknown key', new Web3(providerWithHeader(unknownKey)).eth.getBlockNumber());
// Calls personal_listAccounts.
await showRefusal('blocked method', new Web3(providerWithHeader(apiKey)).eth.personal.getAccounts());
await showRefusal('missing key', new Web3(`${url}/rpc`).eth.getBlockNumber());

function providerWithHeader(key: string): HttpProvider {
  return new HttpProvider(`${url}/rpc`, { providerOptions: { headers: { 'X-API-Key': key } } });
}

async function showCalls(form: string, provider: HttpProvider): Promise<void> {
  const web3 = new Web3(provider);
  web3.setConfig({ transactionPollingInterval: 100 });
  const [wallet] = web3.eth.accounts.wallet.add(developmentKeys.web3);
  if (wallet === undefined) throw new Error('The wallet is empty.');
  const say = (text: string) => console.log(`[${form}] ${text}`);

  say(`block ${await web3.eth.getBlockNumber()}, balance ${await web3.eth.getBalance(wallet.address)} wei`);

  // Signed here, sent as eth_sendRawTransaction: no wallet key ever reaches Flowgate.
  const from = { from: wallet.address };
  const factory = new web3.eth.Contract(counterAbi);
  const counter = await factory.deploy({ data: counterBytecode, arguments: [41n] }).send(from);
  say(`deployed ${counter.options.address}, number ${await counter.methods.number().call()}`);

  await counter.methods.increment().send(from);
  say(`after increment: number ${await counter.methods.number().call()}`);

  const batch = new web3.BatchRequest();
  const chainId = batch.add<string>({ method: 'eth_chainId', params: [] });
  const block = batch.add<string>({ method: 'eth_blockNumber', params: [] });
  await batch.execute();
  say(`batch: chain ${Number(await chainId)}, block ${Number(await block)}`);
}

/** web3.js throws a ResponseError with the HTTP status in `statusCode` and the gateway's JSON-RPC error as `cause`; its own `code` is always 100. */
async function showRefusal(what: string, call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (!(error instanceof ResponseError)) throw new Error(`${what}: was not refused as expected`, { cause: error });
  const { cause } = error;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : 'no code';
  console.log(`[refused] ${what}: ${error.statusCode} ${code} (web3: ${error.message})`);
}
