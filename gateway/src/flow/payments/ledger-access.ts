/** The one way from Flow Apps to the ledgers: a configured network by its chain id, one JSON-RPC reading at a time. */

import type { NetworkDirectory } from '../../ledgers/network.ts';

/** A reading, repeatable at any node. `undefined` when there was no result: nobody answered, or a JSON-RPC error. Never throws. */
export type LedgerRead = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** `undefined` when no configured network has this CAIP-2 identifier. */
export type LedgerAccess = (network: string) => LedgerRead | undefined;

export function createLedgerAccess(directory: Pick<NetworkDirectory, 'all'>): LedgerAccess {
  return (name) => {
    const network = directory.all.find(({ chainId }) => name === `eip155:${chainId}`);
    if (network === undefined) return undefined;
    return async (method, params) => {
      const reply = await network.pool.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), true);
      return reply.ok && reply.status === 200 ? resultOf(reply.body) : undefined;
    };
  };
}

function resultOf(body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== 'object' || answer === null || 'error' in answer || !('result' in answer)) return undefined;
    return answer.result ?? undefined;
  } catch {
    return undefined;
  }
}
