/** Extracts the credential that counts (contract/credentials#which-one-counts), without verifying it. */

import { credentialInHeaders, credentialInPath, rpcCredential } from '../contexts/extracted-credential.ts';
import type { RequestContext } from '../contexts/request-context.ts';
import type { RpcContext } from '../contexts/rpc-context.ts';

/** A token or an API key, from the headers. */
export function extractCredential(_services: unknown, context: RequestContext): undefined {
  context.credential = credentialInHeaders(context);
}

/** An API key: from the path if there is one, otherwise from the headers. */
export function extractKey(_services: unknown, context: RpcContext): undefined {
  const { route, params } = context;
  context.credential = route.keyInPath ? credentialInPath(params['apiKey'] ?? '') : rpcCredential(context);
}
