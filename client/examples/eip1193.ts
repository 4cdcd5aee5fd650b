/** An EIP-1193 provider in front of Flowgate, used by ethers and viem at the same time: `bun client/examples/eip1193.ts`, see README.md. */

import { flowgateProvider, ProviderRpcError } from '@flowgate/client/eip1193';
import { BrowserProvider } from 'ethers';
import { createPublicClient, createWalletClient, custom } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { developmentKeys, readSettings } from './example-settings.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const provider = flowgateProvider({ url, apiKey });
provider.on('connect', ({ chainId }) => console.log(`connected to chain ${Number(chainId)}`));

const ethers = new BrowserProvider(provider);
const transport = custom(provider);
const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 100 });
const account = privateKeyToAccount(developmentKeys.eip1193);
const wallet = createWalletClient({ account, chain: foundry, transport });
console.log(`ethers: chain ${(await ethers.getNetwork()).chainId}, viem: chain ${await reader.getChainId()}`);

const reported = new Promise((resolve) => {
  provider.on('message', ({ data }) => resolve(data));
});
const subscription = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] });
// Signed here and sent as eth_sendRawTransaction once; the client never retries it.
const hash = await wallet.sendTransaction({ to: account.address, value: 1n });
const { status } = await reader.waitForTransactionReceipt({ hash });
const message = await reported;
const isOurs = typeof message === 'object' && message !== null && Reflect.get(message, 'subscription') === subscription;
console.log(`a transaction is ${status}, and its subscription received the head: ${isOurs}`);
console.log(`unsubscribed: ${await provider.request({ method: 'eth_unsubscribe', params: [subscription] })}`);

await showRefusal('a wallet’s business', provider.request({ method: 'eth_requestAccounts' }));
await showRefusal('blocked method', provider.request({ method: 'txpool_status' }));
const elsewhere = [{ chainId: '0xffff' }];
await showRefusal('another chain', provider.request({ method: 'wallet_switchEthereumChain', params: elsewhere }));
ethers.destroy();
provider.close();

async function showRefusal(what: string, call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (!(error instanceof ProviderRpcError)) throw new Error(`${what}: was not refused as expected`, { cause: error });
  console.log(`[refused] ${what}: ${error.code} ${error.message}`);
}
