/** The `token` of records in responses (contract/bridge#tokens). */

import { checksumAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { evmAddress } from '../../api/evm-address-member.ts';
import { type KnownTokens, type TokenPlace, type TokenWords, tokenKey } from './token-store.ts';

const words = () => ({
  symbol: z
    .string()
    .describe(
      'The symbol that the token returns, made safe to display. Absent while it is unknown, and when the token has none.',
    )
    .exactOptional(),
  decimals: z.int().min(0).max(255).describe('Absent while they are unknown.').exactOptional(),
});

/** For a deposit or a withdrawal. */
export const bridgedToken = () =>
  z
    .object({
      native: z.boolean().describe('Ether; then both addresses are absent.'),
      l1: evmAddress('The token on L1.').exactOptional(),
      l2: evmAddress('The token on L2.').exactOptional(),
      ...words(),
    })
    .describe('The asset that is transferred.');

/** For an entry of the history: in a swap it has one address. */
export const shownToken = () =>
  bridgedToken().extend({
    address: evmAddress('The address of the token, where it is on one network only.').exactOptional(),
  });

export type ShownToken = {
  readonly native: boolean;
  readonly l1?: string;
  readonly l2?: string;
  readonly address?: string;
} & TokenWords;

const ether: ShownToken = { native: true, symbol: 'ETH', decimals: 18 };

/** The addresses of a bridged token, in any case; undefined for ether. */
export type TokenEnds = { readonly l1: string; readonly l2: string };

type Place = Omit<TokenPlace, 'address'>;

/** A bridged token, or ether. `source`: the side that it comes from, whose token gives symbol and decimals. `known`: the result of `describe` for that side's token (`sourceToken`). */
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

/** The token that gives symbol and decimals, for `describe`. */
export function sourceToken(ends: TokenEnds, source: Place & { readonly side: 'l1' | 'l2' }): TokenPlace {
  return { dlt: source.dlt, networkId: source.networkId, address: ends[source.side].toLowerCase() };
}

/** A token of a swap. */
export function swappedTokenView(place: TokenPlace, known: KnownTokens): ShownToken {
  return { native: false, address: checksumAddress(place.address), ...known.get(tokenKey(place)) };
}
