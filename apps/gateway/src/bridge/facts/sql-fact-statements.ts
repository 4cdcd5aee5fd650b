/** How one kind of fact of a range of blocks is stored, and removed when the chain loses its block; and the rules that all kinds share (docs/decisions/0153). */

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
  /** The last block that is lost: for a reorganization beyond every block. */
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

/** Rows of one statement: engines limit the number of values. */
const maxRows = 100;

/**
 * Facts, or keys, in runs of one statement each. Each key once, so that a range that repeats one does not fail each time; in the same order everywhere, so that two transactions that write the
 * same rows do not deadlock.
 */
export function inRuns<T>(facts: readonly T[], keyOf: (fact: T) => string): readonly (readonly T[])[] {
  const byKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
  const ordered = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1));
  return inChunks(ordered, maxRows).map((run) => run.map(([, fact]) => fact));
}

/** The key of a record that comes from one log: the same in whatever block its transaction is mined. */
export function placeKey({ transactionHash, nth }: Pick<LogPlace, 'transactionHash' | 'nth'>): string {
  return `${transactionHash}/${nth}`;
}

/** `(?, ?), (?, ?), …` */
export function rowsOf<T>(columns: { readonly values: (record: T) => Fragment }, records: readonly T[]): Fragment {
  return list(records.map((record) => sql`(${columns.values(record)})`));
}

/** `a = excluded.a, …`: the columns that a record takes from its new block. */
export function renewed(...columns: readonly string[]): Fragment {
  return raw(columns.map((name) => `${name} = excluded.${name}`).join(', '));
}

/** The bridge of a stream of this side; undefined for other streams. */
export function bridgeOf({ streamId }: Pick<LostBlocks, 'streamId'>, side: 'l1' | 'l2'): string | undefined {
  return /^([^/]+)\/(l[12])$/.exec(streamId)?.[2] === side ? streamId.slice(0, -'/l1'.length) : undefined;
}

/** The lost blocks, as a condition on a column. */
export function among({ keep, upTo }: LostBlocks, column = 'block_number'): Fragment {
  return sql`${raw(column)} > ${keep} AND ${raw(column)} <= ${upTo}`;
}

/** Every block above is lost, rather than some that are read again. */
export function isReorganization({ upTo }: LostBlocks): boolean {
  return upTo === Number.MAX_SAFE_INTEGER;
}
