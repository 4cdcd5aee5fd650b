/** JSON Schemas of errors, JSON-RPC messages and operational answers. */

import type { JsonRpcResponse, ProblemDetails, Readiness, StandardError } from '@flowgate/client/wire';
import type { Schema } from '../../api/json-schema.ts';
import { list, record, ref, text } from './schema-parts.ts';

export const errorSchemas = {
  StandardError: record<StandardError>(
    'Every error outside `/flow/*` that is not a JSON-RPC error.',
    {
      timestamp: { type: 'integer', description: 'Milliseconds since the Unix epoch.', minimum: 0 },
      status: { type: 'integer', description: 'The HTTP status.', minimum: 400, maximum: 599 },
      error: text('A short label.'),
      message: text('What was wrong, for people.'),
      path: text('The path of the request, with any API key in it masked.'),
    },
    ['timestamp', 'status', 'error', 'message', 'path'],
    {
      timestamp: 1_795_255_200_000,
      status: 404,
      error: 'Not found',
      message: 'There is nothing at this path.',
      path: '/nothing',
    },
  ),
  ProblemDetails: record<ProblemDetails>(
    'Every error below `/flow/` (RFC 7807).',
    {
      type: text('The class of the error.', { pattern: '^urn:svc:error:[a-z-]+$' }),
      title: text('A short summary.'),
      status: { type: 'integer', description: 'The HTTP status.', minimum: 400, maximum: 599 },
      detail: text('What was wrong with this request.'),
      retryable: { type: 'boolean', description: 'Whether trying again may help; back off and limit the depth.' },
      instance: text("The request's id, as in `X-Request-Id`."),
      errors: list(
        "On 400: all that is wrong with the request, one entry each; at most 50 of them are the gateway's own.",
        {
          type: 'object',
          properties: {
            fieldId: text('The field of the step, where it is one.'),
            message: text('What is wrong; a whole sentence where there is no `fieldId`.'),
          },
          required: ['message'],
        },
        { minItems: 1 },
      ),
    },
    ['type', 'title', 'status', 'detail', 'retryable', 'instance'],
    {
      type: 'urn:svc:error:not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path.',
      retryable: false,
      instance: 'req_01KAJ0Z6V2',
    },
  ),
};

const id: Schema = { type: ['string', 'number', 'null'], description: 'Comes back byte for byte.' };
const jsonrpc: Schema = { type: 'string', const: '2.0' };
const rpcResult: JsonRpcResponse = { jsonrpc: '2.0', id: 1, result: '0x10d4f' };

export const rpcSchemas = (maxBatch: number): Readonly<Record<string, Schema>> => ({
  JsonRpcRequest: {
    type: 'object',
    description: 'A JSON-RPC 2.0 request. Without `id` it is a notification, which is never answered.',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc,
      method: text('Names are compared exactly; administrative and wallet methods are refused.', { maxLength: 128 }),
      params: {
        description: 'Goes to the node as it came.',
        oneOf: [
          { type: 'array', items: {} },
          { type: 'object', additionalProperties: true },
        ],
      },
      id,
    },
    examples: [{ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }],
  },
  JsonRpcBatch: list(
    'Several requests; each counts towards the rate limit, all are admitted or none.',
    ref('JsonRpcRequest'),
    { minItems: 1, maxItems: maxBatch },
  ),
  JsonRpcResult: {
    type: 'object',
    description: "The node's result, never re-serialised.",
    required: ['jsonrpc', 'id', 'result'],
    properties: { jsonrpc, id, result: { description: 'Whatever the method answers.' } },
    examples: [rpcResult],
  },
  JsonRpcError: {
    type: 'object',
    description: "A JSON-RPC error: the gateway's own, or the node's passed through.",
    required: ['jsonrpc', 'id', 'error'],
    properties: {
      jsonrpc,
      id,
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'integer' },
          message: { type: 'string' },
          data: { description: 'Particulars, for example `reason` and `method` of a blocked method.' },
        },
      },
    },
    examples: [{ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not allowed.' } }],
  },
  JsonRpcResponse: { oneOf: [ref('JsonRpcResult'), ref('JsonRpcError')], examples: [rpcResult] },
  JsonRpcBatchResponse: list(
    'Answers in the order of the requests; notifications have none. Blocked and invalid elements are errors among them.',
    ref('JsonRpcResponse'),
    { minItems: 1, maxItems: maxBatch },
  ),
});

const free: Schema = { type: 'object', additionalProperties: true };

export const operationSchemas = {
  Health: {
    type: 'object',
    description: 'The process runs.',
    required: ['status'],
    properties: { status: { type: 'string', const: 'ok' } },
    examples: [{ status: 'ok' }],
  },
  Readiness: record<Readiness>(
    'The gateway can serve.',
    {
      status: { type: 'string', const: 'ready' },
      checks: {
        type: 'object',
        required: ['database', 'identityProvider'],
        properties: { database: { type: 'string', const: 'ok' }, identityProvider: { type: 'string', const: 'ok' } },
      },
    },
    ['status', 'checks'],
    { status: 'ready', checks: { database: 'ok', identityProvider: 'ok' } },
  ),
  OpenApiDocument: {
    type: 'object',
    description: 'An OpenAPI 3.1 document: this one.',
    required: ['openapi', 'info', 'paths', 'components'],
    properties: {
      openapi: { type: 'string', pattern: '^3\\.1\\.' },
      info: free,
      paths: free,
      webhooks: free,
      components: free,
    },
  },
  Pointer: {
    type: 'object',
    description: 'Where everything is, as absolute URLs.',
    required: ['name', 'version', 'rpc', 'agents', 'reference', 'openapi', 'ready'],
    properties: {
      name: { type: 'string', const: 'Flowgate' },
      version: { type: 'string' },
      ...Object.fromEntries(
        ['rpc', 'agents', 'reference', 'openapi', 'ready'].map((name) => [name, { type: 'string', format: 'uri' }]),
      ),
    },
  },
  SvgImage: { type: 'string', description: 'An image.', contentMediaType: 'image/svg+xml' },
  HtmlPage: { type: 'string', description: 'A page for people.', contentMediaType: 'text/html; charset=utf-8' },
};
