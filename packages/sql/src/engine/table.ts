/**
 * Describes a table once: its columns provide the lists in queries, the values of insertions, the row mapper, and the
 * columns that a data move copies.
 */

import type { Row, SqlValue } from './database.ts';
import type { Fragment } from './dialect.ts';
import { integerOf, textListOf, textOf } from './row.ts';
import { raw } from './sql-text.ts';

/** How a value of type `T` is stored. `read` and `write` never see NULL: a column that may be NULL is an optional member of the record. */
export type Column<T = unknown, IsNullable extends boolean = boolean> = {
  readonly name: string;
  readonly type: 'TEXT' | 'BIGINT';
  readonly isNullable: IsNullable;
  read(row: Row): T;
  write(value: T): SqlValue;
};

/** The keys are the names of the members in the program's records. */
type Columns = Readonly<Record<string, Column>>;

export type Table<C extends Columns = Columns> = {
  readonly name: string;
  /** The name of the column, which contains text. */
  readonly primaryKey: string;
  readonly columns: C;
};

type ValueOf<X> = X extends Column<infer T> ? T : never;
type NullableOf<C extends Columns> = { [K in keyof C]: C[K] extends Column<unknown, false> ? never : K }[keyof C];

/** The record type of a table's rows. */
export type RecordOf<C extends Columns> = { readonly [K in Exclude<keyof C, NullableOf<C>>]: ValueOf<C[K]> } & {
  readonly [K in NullableOf<C>]?: ValueOf<C[K]>;
};

/** Columns of a table, in a fixed order. */
export type Selection<C extends Columns> = {
  /** `key_id, owner_id, …` */
  readonly list: Fragment;
  /** `list` with the table's alias: `session.session_id, session.user_id, …` */
  of(alias: string): Fragment;
  /** `?, ?, …`, for VALUES. */
  values(record: RecordOf<C>): Fragment;
  /** `CAST(? AS TEXT), CAST(? AS BIGINT), …`, for INSERT … SELECT, where PostgreSQL does not infer types from the columns. */
  typedValues(record: RecordOf<C>): Fragment;
  /** Throws for a row that lacks these columns or has other types: a bug in the query or the schema. */
  read(row: Row): RecordOf<C>;
};

export function table<C extends Columns>(name: string, key: keyof C & string, columns: C): Table<C> {
  return { name, primaryKey: columns[key]?.name ?? '', columns };
}

/** A text column. `T`: its possible values, when there are few. */
export function text<T extends string = string>(name: string): Column<T, false> {
  return { name, type: 'TEXT', isNullable: false, read: (row) => textOf(row, name) as T, write: (value) => value };
}

export function integer(name: string): Column<number, false> {
  return { name, type: 'BIGINT', isNullable: false, read: (row) => integerOf(row, name), write: (value) => value };
}

/** Milliseconds since the Unix epoch. */
export function timeMs(name: string): Column<number, false> {
  return integer(name);
}

/** Stored as 1 or 0. */
export function flag(name: string): Column<boolean, false> {
  const write = (value: boolean) => (value ? 1 : 0);
  return { name, type: 'BIGINT', isNullable: false, read: (row) => integerOf(row, name) !== 0, write };
}

/** Stored as TEXT: it is read as a whole, and every engine returns it unchanged. */
export function json<T>(name: string): Column<T, false> {
  return { name, type: 'TEXT', isNullable: false, read: (row) => JSON.parse(textOf(row, name)), write: JSON.stringify };
}

/** A JSON array of texts. */
export function textList(name: string): Column<readonly string[], false> {
  return { ...json(name), read: (row) => textListOf(row, name) };
}

export function optional<T>(column: Column<T, false>): Column<T, true> {
  return { ...column, isNullable: true };
}

/** All columns, or the named ones. */
export function selection<C extends Columns, K extends keyof C & string>(
  { columns }: Table<C>,
  ...names: readonly K[]
): Selection<Pick<C, K>> {
  const chosen = Object.entries<Column>(columns).filter(
    ([name]) => names.length === 0 || names.some((each) => each === name),
  );
  return selectionOf(chosen);
}

/** All columns except the named ones. */
export function selectionWithout<C extends Columns, K extends keyof C & string>(
  { columns }: Table<C>,
  ...names: readonly K[]
): Selection<Omit<C, K>> {
  return selectionOf(Object.entries<Column>(columns).filter(([name]) => !names.some((each) => each === name)));
}

function selectionOf<C extends Columns>(columns: readonly (readonly [member: string, column: Column])[]): Selection<C> {
  const names = columns.map(([, { name }]) => name);
  const placeholders = names.map(() => '?').join(', ');
  const typedPlaceholders = columns.map(([, { type }]) => `CAST(? AS ${type})`).join(', ');
  const valuesOf = (record: Readonly<Record<string, unknown>>) =>
    columns.map(([member, column]) => {
      const value = record[member];
      return value === undefined ? null : column.write(value);
    });
  return {
    list: raw(names.join(', ')),
    of: (alias) => raw(names.map((name) => `${alias}.${name}`).join(', ')),
    values: (record) => ({ text: placeholders, values: valuesOf(record) }),
    typedValues: (record) => ({ text: typedPlaceholders, values: valuesOf(record) }),
    read(row) {
      const record: Record<string, unknown> = {};
      for (const [member, column] of columns)
        if (!column.isNullable || row[column.name] !== null) record[member] = column.read(row);
      return record as RecordOf<C>;
    },
  };
}
