/** The port by which contract wallets are asked whether a signature is theirs. `ledgers/` answers through the nodes of the network. */

export type ContractQuestion = {
  readonly chainId: number;
  /** Absent: `data` is the code of a contract that is run and kept nowhere. */
  readonly to?: string;
  readonly data: string;
  /** Who is charged for a large answer. */
  readonly userId: string;
};

export type ContractAnswer =
  /** `0x` and hexadecimal digits; `0x` alone where there is no contract. */
  | { readonly kind: 'returned'; readonly data: string }
  /** The call failed on the chain, or returned more than such a call can. */
  | { readonly kind: 'failed' }
  /** No node answered in time. */
  | { readonly kind: 'unasked' };

/** One `eth_call` at the newest block: it changes nothing, whatever the code does. Never throws. */
export type AskContract = (question: ContractQuestion) => Promise<ContractAnswer>;
