/**
 * The symbol and decimals of tokens, read from their contracts and cached. Malformed answers of a token give defaults.
 */

import { ExpiringMap } from '@flowgate/async/expiring-map';
import type { Clock } from '@flowgate/base/clock';
import type { Network } from '../upstream/networks/network.ts';
import { shownText } from './shown-text.ts';
import type { ChainView } from './view-chain.ts';

export type TokenFacts = {
  /** In lower case. */
  readonly address: string;
  /** Empty when the token has no symbol that can be shown. */
  readonly symbol: string;
  /** 0 when the token does not return a valid number; amounts then are base units. */
  readonly decimals: number;
};

/**
 * Returns facts of this network's tokens by address. Facts that are not cached are read together, at the view's block.
 * Undefined when the network is unavailable.
 */
export type FindTokenFacts = (
  network: Pick<Network, 'dlt' | 'networkId'>,
  view: ChainView,
  addresses: readonly string[],
) => Promise<ReadonlyMap<string, TokenFacts> | undefined>;

const maxCharacters = 32;
/** Facts hardly ever change. A proxy may get a new implementation. */
const cachedMs = 3_600_000;
/** The operator configures the contracts, but one of them may return other tokens each time. */
const maxCached = 1_000;

export function createTokenFacts({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): FindTokenFacts {
  const cache = new ExpiringMap<string, TokenFacts>(clock, cachedMs, maxCached);
  return async ({ dlt, networkId }, view, addresses) => {
    const keyOf = (address: string) => `${dlt} ${networkId} ${address}`;
    const found = new Map<string, TokenFacts>();
    for (const address of new Set(addresses)) {
      const known = cache.get(keyOf(address));
      if (known !== undefined) found.set(address, known);
    }
    const unknown = [...new Set(addresses)].filter((address) => !found.has(address));
    const read = unknown.length === 0 ? [] : await readFacts(view, unknown);
    if (read === undefined) return undefined;
    for (const facts of read) {
      found.set(facts.address, facts);
      cache.set(keyOf(facts.address), facts);
    }
    return found;
  };
}

async function readFacts(view: ChainView, addresses: readonly string[]): Promise<readonly TokenFacts[] | undefined> {
  const { readText, readUint, tokenCalls } = await import('./token-abi.ts');
  const outcomes = await view.call(
    addresses.flatMap((to) => [
      { to, data: tokenCalls.symbol() },
      { to, data: tokenCalls.decimals() },
    ]),
  );
  if (outcomes.some(({ kind }) => kind === 'unavailable')) return undefined;
  const dataAt = (at: number) => {
    const outcome = outcomes[at];
    return outcome?.kind === 'returned' ? outcome.data : '';
  };
  return addresses.map((address, at) => {
    const places = readUint(dataAt(2 * at + 1));
    return {
      address,
      symbol: shownText(readText(dataAt(2 * at)) ?? '', maxCharacters),
      // The type of `decimals` is uint8.
      decimals: places !== undefined && places <= 255n ? Number(places) : 0,
    };
  });
}
