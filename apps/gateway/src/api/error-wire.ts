/** The error bodies of all surfaces, in three envelopes (contract/errors#envelopes). `edge/contexts/envelopes` writes them. */

import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

export const exampleRpcId = 1;

export const jsonrpc = () => z.literal('2.0');
export const rpcId = () =>
  z.union([z.string(), z.number(), z.null()]).describe('The id of the request, byte for byte.');

export const errorStatus = () => z.int().min(400).max(599).describe('The HTTP status.');

export const standardError = bodySchema(
  'StandardError',
  'Every error outside `/flow/*` that is not a JSON-RPC error.',
  () =>
    z.object({
      timestamp: z.int().min(0).describe('Milliseconds since the Unix epoch.'),
      status: errorStatus(),
      error: z.string().describe('A short label.'),
      message: z.string().describe('What is wrong with the request, as a sentence.'),
      path: z.string().describe('The path of the request, with any API key in it masked.'),
    }),
  {
    timestamp: 1_795_255_200_000,
    status: 404,
    error: 'Not found',
    message: 'There is nothing at this path.',
    path: '/nothing',
  },
);

export const jsonRpcError = bodySchema(
  'JsonRpcError',
  "A JSON-RPC error: the gateway's own, or the node's passed through.",
  () =>
    z.object({
      jsonrpc: jsonrpc(),
      id: rpcId(),
      error: z.object({
        code: z.int(),
        message: z.string(),
        data: z.unknown().describe('Details, for example `reason` and `method` of a blocked method.').exactOptional(),
      }),
    }),
  { jsonrpc: '2.0', id: exampleRpcId, error: { code: -32601, message: 'Method not allowed.' } },
);

export const jsonRpc1Error = bodySchema(
  'JsonRpc1Error',
  'The error of a JSON-RPC 1.0 request. Networks of the family `bitcoin` accept such requests.',
  () => z.object({ result: z.null(), error: jsonRpcError.schema().shape.error, id: rpcId() }),
  { result: null, error: { code: -32601, message: 'Method not allowed.' }, id: exampleRpcId },
);
