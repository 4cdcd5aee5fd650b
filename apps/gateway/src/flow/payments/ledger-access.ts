/** The interface by which Flow Apps read ledgers: one JSON-RPC read at a time, on a configured network with the given chain id. */

import { rangeOf } from '@flowgate/bytes/byte-range';
import type { NetworkDirectory } from '../../upstream/networks/network.ts';

/** Makes one read, which may be repeated at any node. Resolves with `undefined` if no node answered or the answer was a JSON-RPC error. Never throws. */
export type LedgerRead = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** `undefined` if no configured network has this CAIP-2 identifier. */
export type LedgerAccess = (network: string) => LedgerRead | undefined;

export function createLedgerAccess(directory: Pick<NetworkDirectory, 'all'>): LedgerAccess {
  return (name) => {
    const network = directory.all.find(({ chainId }) => chainId !== undefined && name === `eip155:${chainId}`);
    if (network === undefined) return undefined;
    return async (method, params) => {
      const reply = await network.pool.send({ method, params: rangeOf(JSON.stringify(params)), repeatable: true });
      if (!reply.ok || reply.answer.kind !== 'result') return undefined;
      const value: unknown = JSON.parse(reply.answer.raw.text());
      return value ?? undefined;
    };
  };
}
