/** How one kind of fact of a range of blocks is stored, and removed when the chain loses its block. */

import type { NewTypeId } from '@flowgate/base/ids';
import type { Statement } from '@flowgate/sql/engine/database';
import type { Dialect } from '@flowgate/sql/engine/dialect';
import type { RangeFacts } from './range-facts.ts';

export type FactContext = {
  readonly dialect: Dialect;
  readonly streamId: string;
  /** Of a bridge's stream; of a network's pools it is what the stream's id begins with. */
  readonly bridgeId: string;
  /** The stream's network. */
  readonly place: { readonly dlt: string; readonly networkId: string };
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** For what is stored for the first time. */
  readonly newId: NewTypeId;
};

/** Blocks that were part of the chain, or that are read again: what they brought to the stream is lost unless it is stored again afterwards, maybe in the same transaction. */
export type LostBlocks = {
  readonly streamId: string;
  /** The last block that stays. */
  readonly keep: number;
  /** The last block that is lost: for a reorganisation beyond every block. */
  readonly upTo: number;
  readonly nowMs: number;
};

/** Facts of a kind that is known already keep their id and get their new block: the statements may be repeated. */
export type StoreFacts = (facts: RangeFacts, context: FactContext) => readonly Statement[];

/** A few statements whatever was stored, each of them served by an index. */
export type LoseFacts = (lost: LostBlocks) => readonly Statement[];

/** The index stores every kind of fact that it is given, in the transaction that moves its stream. */
export type FactKind = {
  readonly store: StoreFacts;
  readonly lose: LoseFacts;
  /** Tables that grow with these facts; a back-fill has their statistics renewed. */
  readonly tables: readonly (readonly [keyof RangeFacts, string])[];
};
