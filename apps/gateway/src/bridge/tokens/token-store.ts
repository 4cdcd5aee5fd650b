/** The storage interface of tokens: the pairs that a bridge joins, and what tokens say of themselves. Every engine passes `bridge/tokens/token-store.contract.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { TokenPair } from '../bridges/bridge.ts';

/** A token of a network. */
export type TokenPlace = {
  readonly dlt: string;
  readonly networkId: string;
  /** In lower case. */
  readonly address: string;
};

/** What a token says of itself. A member is absent while the token was not read, and when it says nothing that can be shown. */
export type TokenWords = { readonly symbol?: string; readonly decimals?: number };

export type ReadToken = TokenPlace & TokenWords;

export type DueToken = TokenPlace & {
  /** 0: it was never looked at. */
  readonly dueAtMs: number;
};

/** By `tokenKey`. */
export type KnownTokens = ReadonlyMap<string, TokenWords>;

/** Identifiers hold no blank. */
export function tokenKey({ dlt, networkId, address }: TokenPlace): string {
  return `${dlt} ${networkId} ${address.toLowerCase()}`;
}

/** Every method throws `Unavailable` when the storage does not answer in time; repeating is safe. */
export type TokenStore = {
  /** What is known of these tokens, in one query; those of which nothing is known are absent. At most a few hundred: a page of records. */
  describe(places: readonly TokenPlace[]): Promise<KnownTokens>;

  /** The learnt pair of this L2 token. */
  pairOfL2(bridgeId: string, l2: string): Promise<TokenPair | undefined>;

  /** The learnt pair of this L1 token that was created first: anybody can create another one later. */
  pairOfL1(bridgeId: string, l1: string): Promise<TokenPair | undefined>;

  /** Tokens of this network that no look was taken at, or none for long; those that were never looked at come first. */
  due(network: Omit<TokenPlace, 'address'>, nowMs: number, limit: number): Promise<readonly DueToken[]>;

  /** Stores what tokens said, and when they are due again. Nothing is stored when the lease was lost. */
  settle(tokens: readonly ReadToken[], dueAtMs: number, lease: Lease): Promise<void>;

  /** The same of tokens that did not answer, or in part only: what is known of the rest stays. */
  putOff(tokens: readonly ReadToken[], dueAtMs: number, lease: Lease): Promise<void>;
};
