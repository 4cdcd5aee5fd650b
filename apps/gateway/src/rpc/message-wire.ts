/** JSON-RPC messages as the OpenAPI document describes them. The gateway reads their bytes (`message`, `node-answer`) without a schema (docs/decisions/0056). */

import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { exampleRpcId, jsonRpcError, jsonrpc, rpcId } from '../api/error-wire.ts';

/** In characters: longer names are blocked in every family. */
const maxNameChars = 128;

export const jsonRpcRequest = bodySchema(
  'JsonRpcRequest',
  'A JSON-RPC 2.0 request. Without `id` it is a notification, which is never answered.',
  () =>
    z.object({
      jsonrpc: jsonrpc(),
      method: z
        .string()
        .max(maxNameChars)
        .describe('Names are compared exactly; administrative and wallet methods are refused.'),
      params: z
        .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
        .describe('Sent to the node unchanged.')
        .exactOptional(),
      id: rpcId().exactOptional(),
    }),
  { jsonrpc: '2.0', id: exampleRpcId, method: 'eth_blockNumber', params: [] },
);

/** Requests and answers of networks of the family bitcoin. Other networks answer such a request with -32600. */
export const jsonRpc1Request = bodySchema(
  'JsonRpc1Request',
  'A JSON-RPC 1.0 request to a network of the family `bitcoin`. It is always answered. `jsonrpc` may be left out: tools take such a request for one of 2.0, so the description asks for it.',
  () =>
    z.object({
      jsonrpc: z.literal('1.0'),
      method: z.string().max(maxNameChars),
      params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).exactOptional(),
      id: rpcId().exactOptional(),
    }),
  { jsonrpc: '1.0', id: exampleRpcId, method: 'getblockcount', params: [] },
);

export const jsonRpc1Response = bodySchema(
  'JsonRpc1Response',
  'The answer to a JSON-RPC 1.0 request: result and error, one of them null.',
  () =>
    z.object({
      result: z.unknown().describe('The result of the method; null when the request failed.'),
      error: z.union([jsonRpcError.schema().shape.error, z.null()]),
      id: rpcId(),
    }),
  { result: 820_000, error: null, id: exampleRpcId },
);

export const jsonRpcResult = bodySchema(
  'JsonRpcResult',
  "The node's result, never re-serialized.",
  () => z.object({ jsonrpc: jsonrpc(), id: rpcId(), result: z.unknown().describe('The result of the method.') }),
  { jsonrpc: '2.0', id: exampleRpcId, result: '0x10d4f' },
);

export const jsonRpcResponse = bodySchema(
  'JsonRpcResponse',
  'A result or an error.',
  () => z.xor([jsonRpcResult.schema(), jsonRpcError.schema()]),
  { jsonrpc: '2.0', id: exampleRpcId, result: '0x10d4f' },
);

/** `maxMessages` comes from the configuration. */
export function jsonRpcBatches(maxMessages: number) {
  return {
    requests: bodySchema(
      'JsonRpcBatch',
      'Several requests; each counts towards the rate limit, all are admitted or none.',
      () =>
        z
          .array(z.xor([jsonRpcRequest.schema(), jsonRpc1Request.schema()]))
          .min(1)
          .max(maxMessages),
      [
        { jsonrpc: '2.0', id: exampleRpcId, method: 'eth_blockNumber', params: [] },
        { jsonrpc: '2.0', id: 2, method: 'eth_chainId' },
      ],
    ),
    responses: bodySchema(
      'JsonRpcBatchResponse',
      'Answers in the order of the requests; notifications have none. Blocked and invalid elements are errors among them.',
      () =>
        z
          .array(z.xor([jsonRpcResult.schema(), jsonRpcError.schema(), jsonRpc1Response.schema()]))
          .min(1)
          .max(maxMessages),
      [
        { jsonrpc: '2.0', id: exampleRpcId, result: '0x10d4f' },
        { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'Internal error.' } },
      ],
    ),
  };
}
