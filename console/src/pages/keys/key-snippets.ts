/** First calls with a key, to paste. */

export type Snippet = { readonly id: string; readonly title: string; readonly code: string };

export function keySnippets(publicUrl: string, apiKey: string): readonly Snippet[] {
  const rpc = `${publicUrl}/rpc`;
  return [
    {
      id: 'curl',
      title: 'curl',
      code: `curl -s ${rpc} \\
  -H 'X-API-Key: ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`,
    },
    {
      id: 'viem',
      title: 'viem',
      code: `import { createPublicClient } from 'viem';
import { flowgate } from '@flowgate/client/viem';

const client = createPublicClient({
  transport: flowgate({ url: '${publicUrl}', apiKey: '${apiKey}' }),
});
console.log(await client.getBlockNumber());`,
    },
    {
      id: 'ethers',
      title: 'ethers',
      code: `import { FetchRequest, JsonRpcProvider } from 'ethers';

const request = new FetchRequest('${rpc}');
request.setHeader('X-API-Key', '${apiKey}');
const provider = new JsonRpcProvider(request);
console.log(await provider.getBlockNumber());`,
    },
    {
      id: 'web3',
      title: 'web3.js',
      code: `import { HttpProvider, Web3 } from 'web3';

const web3 = new Web3(
  new HttpProvider('${rpc}', { providerOptions: { headers: { 'X-API-Key': '${apiKey}' } } }),
);
console.log(await web3.eth.getBlockNumber());`,
    },
    {
      id: 'wagmi',
      title: 'wagmi',
      code: `import { createConfig } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import { flowgate } from '@flowgate/client/viem';

// In a browser everybody can read the key: use one of its own, that expires.
export const config = createConfig({
  chains: [mainnet],
  transports: { [mainnet.id]: flowgate({ url: '${publicUrl}', apiKey: '${apiKey}' }) },
});`,
    },
    {
      id: 'cast',
      title: 'cast',
      code: `export ETH_RPC_URL=${rpc}/${apiKey}
cast block-number`,
    },
  ];
}
