/**
 * The JSON-RPC paths: without a scope, of a network, and of a node. Each exists with the key in a header and with the
 * key in the path (contract/json-rpc#paths).
 */

import { networkPath } from '../api/network-path.ts';
import { rawApiKeyParameter } from '../api/raw-api-key.ts';
import type { RefusalReason } from '../api/refusal.ts';
import type { PathParameterDoc } from '../api/route.ts';
import { jsonRpc1Request, jsonRpc1Response, jsonRpcBatches, jsonRpcRequest, jsonRpcResponse } from './message-wire.ts';

export type RpcRoute = {
  readonly path: string;
  /** Whether the path contains `{apiKey}`. Then only this key counts. */
  readonly keyInPath: boolean;
  readonly summary: string;
  /** The path parameters by name. */
  readonly parameters: Readonly<Record<string, PathParameterDoc>>;
};

const scopes = [
  { path: '/rpc', what: 'the default network', parameters: {} },
  {
    path: '/dlts/{dlt}/networks/{networkId}/rpc',
    what: 'a network',
    parameters: { dlt: networkPath.dlt, networkId: networkPath.networkId },
  },
  {
    path: '/dlts/{dlt}/nodes/{nodeId}/rpc',
    what: 'one node',
    parameters: { dlt: networkPath.dlt, nodeId: networkPath.nodeId },
  },
];

export const rpcRoutes: readonly RpcRoute[] = scopes.flatMap(({ path, what, parameters }) => [
  { path, keyInPath: false, summary: `JSON-RPC to ${what}, API key in a header`, parameters },
  {
    path: `${path}/{apiKey?}`,
    keyInPath: true,
    summary: `JSON-RPC to ${what}, API key in the path`,
    parameters: { ...parameters, apiKey: rawApiKeyParameter },
  },
]);

/** The request and answer of each path, single or as a batch of at most `maxBatch`. */
export function rpcBodies(maxBatch: number) {
  const { requests, responses } = jsonRpcBatches(maxBatch);
  return {
    ...{ request: jsonRpcRequest, request1: jsonRpc1Request, requests },
    ...{ response: jsonRpcResponse, response1: jsonRpc1Response, responses },
  } as const;
}

/** All refusals of a JSON-RPC path, for the reference page. */
export const rpcRefusals: readonly RefusalReason[] = [
  'credential-missing',
  'credential-invalid',
  'credential-unverifiable',
  'parse-error',
  'invalid-request',
  'method-blocked',
  'method-not-enabled',
  'denied',
  'message-denied',
  'not-found',
  'method-not-allowed',
  'request-timeout',
  'too-large',
  'unsupported-media-type',
  'upgrade-required',
  'rate-limited',
  'bad-gateway',
  'unanswered',
  'unavailable',
];
