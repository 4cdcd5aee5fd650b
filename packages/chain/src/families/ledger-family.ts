/** A ledger family, as data: its methods, what identifies a chain, how the head is read, and its clients' version of JSON-RPC (docs/decisions/0071). */

import type { BlockPlaces } from './block-places.ts';
import type { FamilyName } from './family-names.ts';
import type { MethodFamily } from './method-family.ts';

/** A question that every node of the family answers from memory. */
export type FamilyQuestion<Answer> = {
  readonly method: string;
  /** JSON text. */
  readonly params: string;
  /** Reads the answer from the result; undefined if the result is invalid. */
  readonly read: (result: unknown) => Answer | undefined;
};

export type LedgerFamily = {
  readonly name: FamilyName;
  readonly methods: MethodFamily;
  /** The methods that change nothing and may be sent again, by their exact names. No other method is treated as a read. */
  readonly reads: ReadonlySet<string>;
  /** Reads that store no state at the node and are answered quickly. They may share a connection to a node that pipelines (docs/decisions/0067). */
  readonly quickReads: ReadonlySet<string>;
  /** Only for a family whose chains are identified by the hash of their first block. Parses a configured hash like `identity`; undefined if it is invalid. */
  readonly genesisHash?: { readonly read: (text: unknown) => string | undefined; readonly form: string };
  /** Whether clients of the family also use JSON-RPC 1.0 and send messages without a version. */
  readonly takesVersion1: boolean;
  /** The text that identifies a chain. Each chain has one spelling, which is compared with the configured one. */
  readonly identity: FamilyQuestion<string>;
  /** Which block the answer of each method is about. Absent if this is unknown for the family. */
  readonly blocks?: BlockPlaces;
  /** Whether nodes of the family report new heads and pending transactions by `eth_subscribe`. */
  readonly hasFeed: boolean;
  /** The height of the newest block. */
  readonly head: FamilyQuestion<number>;
};
