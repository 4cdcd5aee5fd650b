/** Determines the credential that counts (contract/credentials#which-one-counts); verifies nothing yet. */

import { presentedCredential, presentedInPath, presentedOnRpc } from '../contexts/presented-credential.ts';
import type { RequestContext } from '../contexts/request-context.ts';
import type { RpcContext } from '../contexts/rpc-context.ts';

/** A token or an API key, from the headers. */
export function presentCredential(_services: unknown, context: RequestContext): undefined {
  context.credential = presentedCredential(context);
}

/** An API key: from the path if there is one, otherwise from the headers. */
export function presentKey(_services: unknown, context: RpcContext): undefined {
  const { route, params } = context;
  context.credential = route.keyInPath ? presentedInPath(params['apiKey'] ?? '') : presentedOnRpc(context);
}
