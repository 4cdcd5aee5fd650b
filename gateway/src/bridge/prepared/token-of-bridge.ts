/** Which pair of tokens a caller means, and whether the bridge mints and burns one of them. */

import type { ChainView } from '../../ledgers/contract-calls/chain-view.ts';
import type { Bridge, TokenPair } from '../bridge.ts';
import type { TokenStore } from '../tokens/token-store.ts';

export type KnownPair = {
  readonly pair: TokenPair;
  /** Named in the configuration: what an operator writes can be wrong, what the factory tells is not. */
  readonly isConfigured: boolean;
};

/**
 * The pair that an address names: as the token on the side that is sent from, else as that on the other side. Of several L2 tokens of one L1 token the configured one is taken, else the one that
 * was created first. `address` in lower case.
 */
export async function pairNamed(
  { bridgeId, tokens }: Bridge,
  store: Pick<TokenStore, 'pairOfL1' | 'pairOfL2'>,
  source: 'l1' | 'l2',
  address: string,
): Promise<KnownPair | undefined> {
  for (const side of source === 'l1' ? (['l1', 'l2'] as const) : (['l2', 'l1'] as const)) {
    const configured = tokens.find((pair) => pair[side] === address);
    if (configured !== undefined) return { pair: configured, isConfigured: true };
    const learnt = await (side === 'l1' ? store.pairOfL1(bridgeId, address) : store.pairOfL2(bridgeId, address));
    if (learnt !== undefined) return { pair: learnt, isConfigured: false };
  }
  return undefined;
}

/** The token on the other side that a mintable token names; `not-mintable` for every other token. In lower case. */
export async function counterpartOf(
  view: ChainView,
  token: string,
): Promise<{ readonly counterpart: string } | 'not-mintable' | 'unasked'> {
  const [{ mintableForms }, { readAddress, readUint }] = await Promise.all([
    import('./bridge-calls.ts'),
    import('../../ledgers/contract-calls/token-abi.ts'),
  ]);
  const outcomes = await view.call(
    mintableForms.flatMap(({ isOfForm, counterpart }) => [isOfForm, counterpart].map((data) => ({ to: token, data }))),
  );
  if (outcomes.some(({ kind }) => kind === 'unasked')) return 'unasked';
  const dataAt = (at: number) => {
    const outcome = outcomes[at];
    return outcome?.kind === 'returned' ? outcome.data : '';
  };
  for (const at of mintableForms.keys()) {
    const counterpart = readAddress(dataAt(2 * at + 1));
    if (readUint(dataAt(2 * at)) === 1n && counterpart !== undefined) return { counterpart };
  }
  return 'not-mintable';
}
