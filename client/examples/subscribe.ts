/** Subscriptions through Flowgate with viem, and a trace of which node answered: `bun client/examples/subscribe.ts`, see README.md. */

import { type AnswerFacts, createFlowgate } from '@flowgate/client';
import { flowgate } from '@flowgate/client/viem';
import { createPublicClient, createWalletClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { counterAbi, counterBytecode } from './counter.ts';
import { developmentKeys, readSettings } from './example-settings.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const account = privateKeyToAccount(developmentKeys.subscribe);
const overHttp = flowgate({ url, apiKey });
const wallet = createWalletClient({ account, chain: foundry, transport: overHttp });
const reader = createPublicClient({ chain: foundry, transport: overHttp, pollingInterval: 100 });

// The key is in a header here too; viem's own webSocket() requires it in the path.
const onGap = () => console.log('[socket] the connection was lost: read the events of the meantime separately');
const live = createPublicClient({ chain: foundry, transport: flowgate({ url, apiKey, webSocket: true, onGap }) });

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
// On the same connection: its answer arrives after the subscriptions are confirmed.
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

// The same read twice: the second answer comes from the cache.
const client = createFlowgate({ url, apiKey });
const servedBy = async () => {
  const reported: (readonly string[] | undefined)[] = [];
  const options = { trace: true, onAnswer: ({ servedBy }: AnswerFacts) => void reported.push(servedBy) };
  await client.rpc('eth_getCode', [contractAddress, 'latest'], options);
  return reported[0]?.join(', ');
};
const [first, second] = [await servedBy(), await servedBy()];
console.log(`[trace] the code of the contract: from a node ${first !== 'cache'}, then from ${second}`);
live.transport.close();
