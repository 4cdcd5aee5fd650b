/** Snippets for a first call with a key. Each runs as printed in an empty folder, after its first line. */
import type { NetworkRecord } from '@flowgate/client';
import { jsText, shellText } from '../../format/quoted.ts';

export type Snippet = { readonly id: string; readonly title: string; readonly code: string };

export type SnippetTarget = {
  readonly publicUrl: string;
  readonly apiKey: string;
  /** The network to call; undefined for the gateway's default network. */
  readonly network: Pick<NetworkRecord, 'dlt' | 'networkId' | 'name' | 'chainId' | 'default'> | undefined;
};

const fromNode = (packages: string) => `// npm install ${packages}\n// Save it as call.mjs, then: node call.mjs`;

export function keySnippets({ publicUrl, apiKey, network }: SnippetTarget): readonly Snippet[] {
  const isDefault = network === undefined || network.default;
  const rpc = publicUrl + (isDefault ? '/rpc' : `/dlts/${network.dlt}/networks/${network.networkId}/rpc`);
  const transport = `http(${jsText(rpc)}, {
  fetchOptions: { headers: { 'X-API-Key': ${jsText(apiKey)} } },
})`;
  const chain = `defineChain({
  id: ${network?.chainId ?? 1},
  name: ${jsText(network?.name ?? 'Ethereum')},
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [${jsText(rpc)}] } },
})`;
  return [
    {
      id: 'curl',
      title: 'curl',
      code: `curl -s ${shellText(rpc)} \\
  -H ${shellText(`X-API-Key: ${apiKey}`)} \\
  -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`,
    },
    {
      id: 'viem',
      title: 'viem',
      code: `${fromNode('viem')}
import { createPublicClient, defineChain, http } from 'viem';

const chain = ${chain};
const transport = ${transport};
const client = createPublicClient({ chain, transport });
console.log(await client.getBlockNumber());`,
    },
    {
      id: 'ethers',
      title: 'ethers',
      code: `${fromNode('ethers')}
import { FetchRequest, JsonRpcProvider } from 'ethers';

const request = new FetchRequest(${jsText(rpc)});
request.setHeader('X-API-Key', ${jsText(apiKey)});
const provider = new JsonRpcProvider(request);
console.log(await provider.getBlockNumber());
provider.destroy();`,
    },
    {
      id: 'web3',
      title: 'web3.js',
      code: `${fromNode('web3')}
import { HttpProvider, Web3 } from 'web3';

const provider = new HttpProvider(${jsText(rpc)}, {
  providerOptions: { headers: { 'X-API-Key': ${jsText(apiKey)} } },
});
console.log(await new Web3(provider).eth.getBlockNumber());`,
    },
    {
      id: 'wagmi',
      title: 'wagmi',
      code: `${fromNode('@wagmi/core viem')}
// In React, import createConfig from wagmi instead. Every visitor of a website can read
// its key: use one that expires and that the firewall limits to reads.
import { createConfig, getBlockNumber, http } from '@wagmi/core';
import { defineChain } from 'viem';

const chain = ${chain};
const transport = ${transport};
export const config = createConfig({ chains: [chain], transports: { [chain.id]: transport } });
console.log(await getBlockNumber(config));`,
    },
    {
      id: 'cast',
      title: 'cast',
      code: `export ETH_RPC_URL=${shellText(`${rpc}/${apiKey}`)}
cast block-number`,
    },
  ];
}
