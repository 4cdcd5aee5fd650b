/** Subscriptions through Flowgate with viem, and who answered a call: `bun client/examples/subscribe.ts`, see README.md. */

import { createPublicClient, createWalletClient, http, webSocket } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { counterAbi, counterBytecode } from './counter.ts';
import { developmentKeys, readSettings } from './example-settings.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const account = privateKeyToAccount(developmentKeys.subscribe);
const withHeader = http(`${url}/rpc`, { fetchOptions: { headers: { 'X-API-Key': apiKey } } });
const wallet = createWalletClient({ account, chain: foundry, transport: withHeader });
const reader = createPublicClient({ chain: foundry, transport: withHeader, pollingInterval: 100 });

// viem sets no headers on a WebSocket, so the key is in the path.
const socket = webSocket(`${url.replace(/^http/, 'ws')}/rpc/${apiKey}`, { reconnect: false });
const live = createPublicClient({ chain: foundry, transport: socket });

const deployment = await wallet.deployContract({ abi: counterAbi, bytecode: counterBytecode, args: [41n] });
const { contractAddress } = await reader.waitForTransactionReceipt({ hash: deployment });
if (contractAddress === null || contractAddress === undefined) throw new Error('No contract was created.');
const counter = { address: contractAddress, abi: counterAbi } as const;

const raised = Promise.withResolvers<void>();
const numbers: bigint[] = [];
const heads: bigint[] = [];
const endHeads = live.watchBlockNumber({ onBlockNumber: (number) => heads.push(number) });
const endLogs = live.watchContractEvent({
  ...counter,
  eventName: 'Raised',
  onLogs: (logs) => {
    for (const { args } of logs) numbers.push(args.number ?? 0n);
    if (numbers.length >= 2) raised.resolve();
  },
});
// On the same connection: when this is answered, the subscriptions stand.
console.log(`[socket] chain ${await live.getChainId()}, subscribed to heads and to one contract's events`);

for (let nth = 0; nth < 2; nth++) {
  const hash = await wallet.writeContract({ ...counter, functionName: 'increment' });
  await reader.waitForTransactionReceipt({ hash });
}
await raised.promise;
const isGapless = heads.every((number, at) => at === 0 || number === (heads[at - 1] ?? 0n) + 1n);
console.log(`[socket] raised to ${numbers.join(', then ')}; heads without a gap: ${isGapless && heads.length >= 2}`);
endHeads();
endLogs();

// The same read twice: a node is asked once.
const servedBy = async () => {
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-Flowgate-Trace': '1' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [contractAddress, 'latest'] }),
  });
  await response.text();
  return response.headers.get('X-Flowgate-Served-By');
};
const [first, second] = [await servedBy(), await servedBy()];
console.log(`[trace] the code of the contract: from a node ${first !== 'cache'}, then from ${second}`);
process.exit(0);
