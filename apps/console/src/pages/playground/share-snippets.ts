/** Code snippets of a call. The key is always a placeholder. */
import { jsText, shellText } from '../../format/quoted.ts';
import type { PlannedCall } from './planned-call.ts';

export type ShareSnippet = { readonly id: string; readonly title: string; readonly code: string };

export function shareSnippets(publicUrl: string, { target, method, params }: PlannedCall): readonly ShareSnippet[] {
  const { dlt, networkId, nodeId } = target;
  const path =
    nodeId === undefined
      ? `/dlts/${encodeURIComponent(dlt)}/networks/${encodeURIComponent(networkId)}/rpc`
      : `/dlts/${encodeURIComponent(dlt)}/nodes/${encodeURIComponent(nodeId)}/rpc`;
  const url = publicUrl + path;
  return [
    {
      id: 'curl',
      title: 'curl',
      code: `curl -s ${shellText(url)} \\
  -H "X-API-Key: $FLOWGATE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shellText(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))}`,
    },
    {
      id: 'viem',
      title: 'viem',
      code: `// npm install viem
// Save it as call.mjs, then: FLOWGATE_API_KEY=fk_… node call.mjs
import { createPublicClient, http } from 'viem';

const transport = http(${jsText(url)}, {
  fetchOptions: { headers: { 'X-API-Key': process.env.FLOWGATE_API_KEY } },
});
const client = createPublicClient({ transport });
const result = await client.request({
  method: ${jsText(method)},
  params: ${JSON.stringify(params)},
});
console.log(result);`,
    },
    {
      id: 'cast',
      title: 'cast',
      code: `cast rpc --rpc-url "${url.replace(/["$\\`]/g, '\\$&')}/$FLOWGATE_API_KEY" \\
  --raw ${shellText(method)} ${shellText(JSON.stringify(params))}`,
    },
  ];
}
