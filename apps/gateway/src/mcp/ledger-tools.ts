/** The tools for blockchains: which networks there are, and a JSON-RPC call to one (contract/agents#tools). */

import { isJsonObject } from '@flowgate/json/json-object';
import { z } from 'zod';
import { jsonRpcRequest } from '../rpc/message-wire.ts';
import { failure, resultOf, success } from './gateway-call.ts';
import { identifier, paging, pathOf, reading, type Tool, tool, withQuery } from './tool.ts';

const listNetworks = tool({
  name: 'list_networks',
  title: 'List networks',
  description: 'The blockchain networks that rpc_call reaches; the one marked `default` answers when none is named.',
  input: () => z.strictObject(paging()),
  annotations: reading,
  run: async (ask, page) => resultOf(await ask({ method: 'GET', path: withQuery('/networks', page) })),
});

const rpcCall = tool({
  name: 'rpc_call',
  title: 'Call a blockchain node',
  description:
    'One JSON-RPC call to a network; the answer holds `result`. Needs an API key. Administrative, wallet and mining methods are refused; a transaction has to be signed by the caller before it is sent (eth_sendRawTransaction, sendTransaction on Solana, sendrawtransaction on Bitcoin), which must not be repeated blindly.',
  input: () =>
    z
      .strictObject({
        dlt: identifier(
          'The ledger, as in list_networks. Together with networkId or nodeId; all left out, the default network.',
        ).optional(),
        networkId: identifier('The network, as in list_networks.').optional(),
        nodeId: identifier('One node, as in list_nodes, instead of a network.').optional(),
        method: jsonRpcRequest.schema().shape.method.min(1).describe('For example eth_blockNumber.'),
        params: jsonRpcRequest.schema().shape.params.describe('As the method asks for them. Default none.'),
      })
      .refine(
        ({ dlt, networkId, nodeId }) =>
          [networkId, nodeId].filter((each) => each !== undefined).length === (dlt === undefined ? 0 : 1),
        'dlt goes together with networkId or nodeId, and with one of them',
      ),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(ask, { method, params, ...target }) {
    const answer = await ask({
      method: 'POST',
      path: rpcPath(target),
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
    const body = isJsonObject(answer.body) ? answer.body : {};
    // In a StandardError the member of this name is a text.
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
