/** How a table is described to `flowgate migrate-data`. */

/** A table by its columns; `key` is its primary key, by which rows are read in order. */
export type Table = {
  readonly name: string;
  readonly key: string;
  readonly texts: readonly string[];
  readonly integers: readonly string[];
};
