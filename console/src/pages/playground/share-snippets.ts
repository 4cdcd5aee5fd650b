/** A call as lines to paste. The key is a placeholder, always. */
import type { PlannedCall } from './send-call.ts';

export type ShareSnippet = { readonly id: string; readonly title: string; readonly code: string };

export function shareSnippets(publicUrl: string, { target, method, params }: PlannedCall): readonly ShareSnippet[] {
  const { dlt, networkId, nodeId } = target;
  const path =
    nodeId === undefined
      ? `/dlts/${encodeURIComponent(dlt)}/networks/${encodeURIComponent(networkId)}/rpc`
      : `/dlts/${encodeURIComponent(dlt)}/nodes/${encodeURIComponent(nodeId)}/rpc`;
  const url = publicUrl + path;
  const of =
    nodeId === undefined
      ? `network: { dlt: ${literal(dlt)}, networkId: ${literal(networkId)} }`
      : `node: { dlt: ${literal(dlt)}, nodeId: ${literal(nodeId)} }`;
  return [
    {
      id: 'curl',
      title: 'curl',
      code: `curl -s ${quoted(url)} \\
  -H "X-API-Key: $FLOWGATE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))}`,
    },
    {
      id: 'viem',
      title: 'viem',
      code: `import { createPublicClient } from 'viem';
import { flowgate } from '@flowgate/client/viem';

const client = createPublicClient({
  transport: flowgate({
    url: ${literal(publicUrl)},
    apiKey: process.env.FLOWGATE_API_KEY ?? '',
    ${of},
  }),
});
const result = await client.request({
  method: ${literal(method)},
  params: ${JSON.stringify(params)},
} as never);
console.log(result);`,
    },
    {
      id: 'cast',
      title: 'cast',
      code: `cast rpc --rpc-url "${url.replace(/["$\\`]/g, '\\$&')}/$FLOWGATE_API_KEY" \\
  --raw ${quoted(method)} ${quoted(JSON.stringify(params))}`,
    },
  ];
}

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** For TypeScript. */
const literal = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
