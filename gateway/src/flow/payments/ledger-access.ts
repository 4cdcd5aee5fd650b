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
      const reply = await network.pool.send({
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        repeatable: true,
        read: readAnswer,
      });
      return reply.ok && reply.answer.kind === 'result' ? (reply.answer.value ?? undefined) : undefined;
    };
  };
}

type Answer = { readonly kind: 'result'; readonly value: unknown } | { readonly kind: 'error' };

/** Undefined when it is no answer to the one call that is asked here. */
function readAnswer(text: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== 'object' || answer === null || !('id' in answer) || answer.id !== 1) return undefined;
    if ('error' in answer && answer.error !== null) return { kind: 'error' };
    return 'result' in answer ? { kind: 'result', value: answer.result } : undefined;
  } catch {
    return undefined;
  }
}
