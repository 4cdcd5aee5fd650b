/** How each kind of fact is stored for a range of blocks and removed when the chain loses a block, and the rules that all kinds share (docs/decisions/0153). */

import type { NewTypeId } from '@flowgate/base/ids';
import { inChunks } from '@flowgate/base/in-chunks';
import type { Statement } from '@flowgate/sql/engine/database';
import type { Dialect, Fragment } from '@flowgate/sql/engine/dialect';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import type { LogPlace } from '../chain/log-place.ts';
import type { RangeFacts } from './range-facts.ts';

export type FactContext = {
  readonly dialect: Dialect;
  readonly streamId: string;
  /** The bridge of the stream. For the pools of a network, the first part of the stream's id. */
  readonly bridgeId: string;
  /** The network of the stream. */
  readonly place: { readonly dlt: string; readonly networkId: string };
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** For facts that are stored for the first time. */
  readonly newId: NewTypeId;
};

/** Blocks that the chain lost, or that are read again. Facts of these blocks are lost unless they are stored again afterwards, possibly in the same transaction. */
export type LostBlocks = {
  readonly streamId: string;
  /** The last block that remains. */
  readonly keep: number;
  /** The last block that is lost. In a reorganization it is above every block. */
  readonly upTo: number;
  readonly nowMs: number;
};

/** A fact that is stored already retains its id and gets its new block: the statements may be repeated. */
export type StoreFacts = (facts: RangeFacts, context: FactContext) => readonly Statement[];

/** The number of statements does not depend on the number of stored records. An index serves each of them. */
export type LoseFacts = (lost: LostBlocks) => readonly Statement[];

/** The index stores each kind of fact in the transaction that advances the stream. */
export type FactKind = {
  readonly store: StoreFacts;
  readonly lose: LoseFacts;
  /** Tables that grow with these facts. A back-fill renews their statistics. */
  readonly tables: readonly (readonly [keyof RangeFacts, string])[];
};

/** Rows of one statement: engines limit the number of values. */
const maxRows = 100;

/**
 * Splits facts or keys into runs of one statement each. Each key occurs once, so that a range with a repeated key does not fail. The order is the same everywhere, so
 * that two transactions that write the same rows do not deadlock.
 */
export function inRuns<T>(facts: readonly T[], keyOf: (fact: T) => string): readonly (readonly T[])[] {
  const byKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
  const ordered = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1));
  return inChunks(ordered, maxRows).map((run) => run.map(([, fact]) => fact));
}

/** The key of a record that comes from one log. It is the same in whichever block the transaction is mined. */
export function placeKey({ transactionHash, nth }: Pick<LogPlace, 'transactionHash' | 'nth'>): string {
  return `${transactionHash}/${nth}`;
}

/** `(?, ?), (?, ?), …` */
export function rowsOf<T>(columns: { readonly values: (record: T) => Fragment }, records: readonly T[]): Fragment {
  return list(records.map((record) => sql`(${columns.values(record)})`));
}

/** `a = excluded.a, …`: the columns that an existing record takes from its new block. */
export function renewed(...columns: readonly string[]): Fragment {
  return raw(columns.map((name) => `${name} = excluded.${name}`).join(', '));
}

/** The bridge whose stream of this side it is; undefined for other streams. */
export function bridgeOf({ streamId }: Pick<LostBlocks, 'streamId'>, side: 'l1' | 'l2'): string | undefined {
  return /^([^/]+)\/(l[12])$/.exec(streamId)?.[2] === side ? streamId.slice(0, -'/l1'.length) : undefined;
}

/** A condition that the block number in a column is among the lost blocks. */
export function among({ keep, upTo }: LostBlocks, column = 'block_number'): Fragment {
  return sql`${raw(column)} > ${keep} AND ${raw(column)} <= ${upTo}`;
}

/** True when all blocks above `keep` are lost; false when some blocks are read again. */
export function isReorganization({ upTo }: LostBlocks): boolean {
  return upTo === Number.MAX_SAFE_INTEGER;
}
