/** Unknown paths that clients probably meant for JSON-RPC: wallets and web pages receive an answer that they can read and that names the right path. */

import type { Route } from '../../api/route.ts';

/** Used in the sentences of 404 and 405. */
export const whereRpcIs =
  'JSON-RPC is at /rpc, /dlts/{dlt}/networks/{networkId}/rpc and /dlts/{dlt}/nodes/{nodeId}/rpc, with the API key in X-API-Key, or as one more segment.';

/** The prefixes of REST, Flow and agents: a request below them was not meant for JSON-RPC. */
export type MistakenRpcPaths = { readonly holds: (path: string) => boolean };

/** Both kinds of paths are below `/dlts`. */
const ofLedgers = 'dlts';

export function createMistakenRpcPaths(
  routes: readonly Pick<Route, 'path'>[],
  others: readonly string[],
): MistakenRpcPaths {
  const taken = new Set([...routes.map(({ path }) => path), ...others].map(firstSegment));
  taken.delete(ofLedgers);
  taken.delete('');
  return { holds: (path) => !taken.has(firstSegment(path)) };
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end < 0 ? undefined : end);
}
