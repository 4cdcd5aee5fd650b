/** A ledger family, as data: its methods, what identifies a chain, how the head is read, and the JSON-RPC that its clients speak (docs/decisions/0071). */

import type { BlockPlaces } from './block-places.ts';
import type { FamilyName } from './family-names.ts';
import type { MethodFamily } from './method-family.ts';

/** A question that every node of the family answers from memory. */
export type FamilyQuestion<Answer> = {
  readonly method: string;
  /** JSON text. */
  readonly params: string;
  /** What the result says; undefined when it is no valid one. */
  readonly read: (result: unknown) => Answer | undefined;
};

export type LedgerFamily = {
  readonly name: FamilyName;
  readonly methods: MethodFamily;
  /** The methods that change nothing and may be sent again, by their exact names. A method that is missing counts as no read. */
  readonly reads: ReadonlySet<string>;
  /** Reads that keep no state at the node and are answered soon: they may share a connection to a node that pipelines (docs/decisions/0067). */
  readonly quickReads: ReadonlySet<string>;
  /** For a family whose chains the hash of the first block identifies: parses a configured hash like `identity`; undefined if it is invalid. */
  readonly genesisHash?: { readonly read: (text: unknown) => string | undefined; readonly form: string };
  /** Whether its clients speak JSON-RPC 1.0, too, and send messages without a version. */
  readonly takesVersion1: boolean;
  /** What identifies a chain: a text in one spelling, to be compared with the configured one. */
  readonly identity: FamilyQuestion<string>;
  /** Which block the answer of each method is about; absent where nothing is known about that. */
  readonly blocks?: BlockPlaces;
  /** Whether its nodes report new heads and pending transactions by `eth_subscribe`. */
  readonly hasFeed: boolean;
  /** The height of the newest block. */
  readonly head: FamilyQuestion<number>;
};
