/** Finds the token pair that a caller names, and whether the bridge mints and burns one of its tokens. */

import type { ChainView } from '../../prepared/view-chain.ts';
import type { Bridge, TokenPair } from '../bridges/bridge.ts';
import type { TokenStore } from '../tokens/token-store.ts';

export type KnownPair = {
  readonly pair: TokenPair;
  /** True for a configured pair: an operator can make a mistake, the factory cannot. */
  readonly isConfigured: boolean;
};

/**
 * The pair that an address names, by either of its tokens. Of several L2 tokens of one L1 token, the configured one is used, else the first that was created. Learned
 * pairs are searched by L2 token first: the factory chooses its address, whereas anyone can create a token that names any address on L1. `address` is in lower case.
 */
export async function pairNamed(
  { bridgeId, tokens }: Bridge,
  store: Pick<TokenStore, 'pairOfL1' | 'pairOfL2'>,
  source: 'l1' | 'l2',
  address: string,
): Promise<KnownPair | undefined> {
  const configured = (side: 'l1' | 'l2') => tokens.find((pair) => pair[side] === address);
  const own = configured(source) ?? (source === 'l1' ? configured('l2') : undefined);
  if (own !== undefined) return { pair: own, isConfigured: true };
  const byL2 = await store.pairOfL2(bridgeId, address);
  if (byL2 !== undefined) return { pair: byL2, isConfigured: false };
  const other = configured('l1');
  if (other !== undefined) return { pair: other, isConfigured: true };
  const byL1 = await store.pairOfL1(bridgeId, address);
  return byL1 === undefined ? undefined : { pair: byL1, isConfigured: false };
}

/** The token on the other side that a mintable token names; `not-mintable` for every other token. In lower case. */
export async function counterpartOf(
  view: ChainView,
  token: string,
): Promise<{ readonly counterpart: string } | 'not-mintable' | 'unavailable'> {
  const [{ mintableForms }, { readAddress, readUint }] = await Promise.all([
    import('./bridge-calls.ts'),
    import('../../prepared/token-abi.ts'),
  ]);
  const outcomes = await view.call(
    mintableForms.flatMap(({ isOfForm, counterpart }) => [isOfForm, counterpart].map((data) => ({ to: token, data }))),
  );
  if (outcomes.some(({ kind }) => kind === 'unavailable')) return 'unavailable';
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
