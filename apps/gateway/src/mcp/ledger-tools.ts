/** Tools for blockchains: the list of networks, and JSON-RPC calls (contract/agents#tools). */

import { isJsonObject } from '@flowgate/json/json-object';
import { z } from 'zod';
import { jsonRpcRequest } from '../rpc/message-wire.ts';
import { failure, resultOf, success } from './gateway-call.ts';
import { identifier, paging, pathOf, reading, type Tool, tool, withQuery } from './tool.ts';

const listNetworks = tool({
  name: 'list_networks',
  title: 'List networks',
  description:
    'Lists the blockchain networks that rpc_call can call. The network marked `default` is used when a call names none.',
  input: () => z.strictObject(paging()),
  annotations: reading,
  run: async (ask, page) => resultOf(await ask({ method: 'GET', path: withQuery('/networks', page) })),
});

const rpcCall = tool({
  name: 'rpc_call',
  title: 'Call a blockchain node',
  description:
    'Makes one JSON-RPC call to a network or node and returns `result`. Requires an API key. Administrative, wallet and mining methods are refused. Transactions must be signed before they are sent (eth_sendRawTransaction, sendTransaction on Solana, sendrawtransaction on Bitcoin). After an error, check whether the transaction was sent before sending it again.',
  input: () =>
    z
      .strictObject({
        dlt: identifier(
          'The ledger, as in list_networks. Requires networkId or nodeId. Without dlt, networkId and nodeId, the default network is called.',
        ).optional(),
        networkId: identifier('The network, as in list_networks.').optional(),
        nodeId: identifier('The node, as in list_nodes, instead of a network.').optional(),
        method: jsonRpcRequest
          .schema()
          .shape.method.min(1)
          .describe('The JSON-RPC method, for example eth_blockNumber.'),
        params: jsonRpcRequest.schema().shape.params.describe('The parameters of the method. Default: none.'),
      })
      .refine(
        ({ dlt, networkId, nodeId }) =>
          [networkId, nodeId].filter((each) => each !== undefined).length === (dlt === undefined ? 0 : 1),
        'dlt must be given with either networkId or nodeId',
      ),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(ask, { method, params, ...target }) {
    const answer = await ask({
      method: 'POST',
      path: rpcPath(target),
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
    const body = isJsonObject(answer.body) ? answer.body : {};
    // A StandardError's `error` is a string.
    if (isJsonObject(body['error'])) return failure(answer, body['error']);
    return answer.status < 400 ? success({ result: body['result'] }) : resultOf(answer);
  },
});

type RpcAddress = { readonly [Name in 'dlt' | 'networkId' | 'nodeId']?: string | undefined };

function rpcPath({ dlt, networkId, nodeId }: RpcAddress): string {
  if (dlt === undefined) return '/rpc';
  if (nodeId !== undefined) return pathOf`/dlts/${dlt}/nodes/${nodeId}/rpc`;
  return networkId === undefined ? '/rpc' : pathOf`/dlts/${dlt}/networks/${networkId}/rpc`;
}

export const ledgerTools: readonly Tool[] = [listNetworks, rpcCall];
