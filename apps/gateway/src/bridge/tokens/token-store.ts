/** The storage interface of tokens: the pairs of a bridge, and the symbols and decimals of tokens. Every engine passes `bridge/tokens/token-store.contract.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { TokenPair } from '../bridges/bridge.ts';

/** A token of a network. */
export type TokenPlace = {
  readonly dlt: string;
  readonly networkId: string;
  /** In lower case. */
  readonly address: string;
};

/** Symbol and decimals of a token. A member is absent while the token was not read, and when it returns no value that can be shown. */
export type TokenWords = { readonly symbol?: string; readonly decimals?: number };

export type ReadToken = TokenPlace & TokenWords;

export type DueToken = TokenPlace & {
  /** 0: it was never read. */
  readonly dueAtMs: number;
};

/** By `tokenKey`. */
export type KnownTokens = ReadonlyMap<string, TokenWords>;

/** Identifiers contain no blank. */
export function tokenKey({ dlt, networkId, address }: TokenPlace): string {
  return `${dlt} ${networkId} ${address.toLowerCase()}`;
}

/** Every method throws `Unavailable` when the storage does not answer in time; repeating is safe. */
export type TokenStore = {
  /** The known values of these tokens, in one query. Unknown tokens are absent. At most a few hundred: a page of records. */
  describe(places: readonly TokenPlace[]): Promise<KnownTokens>;

  /** The learned pair of this L2 token. */
  pairOfL2(bridgeId: string, l2: string): Promise<TokenPair | undefined>;

  /** The learned pair of this L1 token that was created first: anyone can create another one later. */
  pairOfL1(bridgeId: string, l1: string): Promise<TokenPair | undefined>;

  /** Due tokens of this network: never read, or not for long. Those that were never read come first. */
  due(network: Omit<TokenPlace, 'address'>, nowMs: number, limit: number): Promise<readonly DueToken[]>;

  /** Stores the answers of tokens, and when they are due again. Stores nothing when the lease was lost. */
  settle(tokens: readonly ReadToken[], dueAtMs: number, lease: Lease): Promise<void>;

  /** The same for tokens that answered in part or not at all: their known values remain. */
  putOff(tokens: readonly ReadToken[], dueAtMs: number, lease: Lease): Promise<void>;
};
