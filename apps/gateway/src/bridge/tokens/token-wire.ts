/** The `token` of records as callers see it (contract/bridge#tokens). */

import { checksumAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { evmAddress } from '../../api/evm-address-member.ts';
import { type KnownTokens, type TokenPlace, type TokenWords, tokenKey } from './token-store.ts';

const words = () => ({
  symbol: z
    .string()
    .describe('As the token names itself, made fit to be shown. Absent while it is not known, and when it has none.')
    .exactOptional(),
  decimals: z.int().min(0).max(255).describe('Absent while they are not known.').exactOptional(),
});

/** Of a deposit or a withdrawal. */
export const bridgedToken = () =>
  z
    .object({
      native: z.boolean().describe('Ether; then neither address is there.'),
      l1: evmAddress('The token on L1.').exactOptional(),
      l2: evmAddress('The token on L2.').exactOptional(),
      ...words(),
    })
    .describe('What crosses.');

/** Of an entry of the history: of a swap it has one address. */
export const shownToken = () =>
  bridgedToken().extend({ address: evmAddress('The token, where it does not cross.').exactOptional() });

export type ShownToken = {
  readonly native: boolean;
  readonly l1?: string;
  readonly l2?: string;
  readonly address?: string;
} & TokenWords;

const ether: ShownToken = { native: true, symbol: 'ETH', decimals: 18 };

/** The addresses of a token that crosses, in any case; none of ether. */
export type TokenEnds = { readonly l1: string; readonly l2: string };

type Place = Omit<TokenPlace, 'address'>;

/**
 * A token that crosses, or ether. `source`: the side that it comes from, whose token tells symbol and decimals; `known`: of `describe` with that side's
 * token (`sourceToken`).
 */
export function bridgedTokenView(
  ends: TokenEnds | undefined,
  source: Place & { readonly side: 'l1' | 'l2' },
  known: KnownTokens,
): ShownToken {
  if (ends === undefined) return ether;
  return {
    native: false,
    l1: checksumAddress(ends.l1),
    l2: checksumAddress(ends.l2),
    ...known.get(tokenKey(sourceToken(ends, source))),
  };
}

/** The place of the token that tells symbol and decimals, for `describe`. */
export function sourceToken(ends: TokenEnds, source: Place & { readonly side: 'l1' | 'l2' }): TokenPlace {
  return { dlt: source.dlt, networkId: source.networkId, address: ends[source.side].toLowerCase() };
}

/** A token of a swap. */
export function swappedTokenView(place: TokenPlace, known: KnownTokens): ShownToken {
  return { native: false, address: checksumAddress(place.address), ...known.get(tokenKey(place)) };
}
