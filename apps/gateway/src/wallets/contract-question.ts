/** The port that asks contract wallets whether a signature is theirs. `bootstrap` answers through the nodes of the network. */

import type { Caller } from '../api/caller.ts';

export type ContractQuestion = {
  readonly chainId: number;
  /** The contract wallet that is asked, in lower case. */
  readonly wallet: string;
  /** Absent: `data` is creation code, which the node runs without storing it. */
  readonly to?: string;
  readonly data: string;
  /** The user who is charged for a large answer, and whose policies apply. */
  readonly caller: Caller;
};

export type ContractAnswer =
  /** `0x` and hexadecimal digits; `0x` alone if the address has no contract. */
  | { readonly kind: 'returned'; readonly data: string }
  /** The call failed on the chain, or returned more than such a call can. */
  | { readonly kind: 'failed' }
  /** No node answered in time. */
  | { readonly kind: 'unavailable' }
  /** A policy refuses it. */
  | { readonly kind: 'denied' }
  /** It is not known what policies permit. */
  | { readonly kind: 'policies-unknown' };

/** One `eth_call` at the newest block, which changes no state. Never throws. */
export type AskContract = (question: ContractQuestion) => Promise<ContractAnswer>;
