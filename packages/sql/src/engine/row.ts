/** Reads typed columns from an engine's rows. A wrong type is a bug in the schema or the query, and throws. */

import type { Row } from './database.ts';

export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`column ${column} contains no text`);
  return value;
}

/** BIGINT arrives as number, bigint or decimal text, depending on the engine; all of our values are below 2^53. */
export function integerOf(row: Row, column: string): number {
  const value = row[column];
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'bigint' || typeof value === 'string'
        ? Number(value)
        : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new Error(`column ${column} contains no integer`);
  return number;
}

export function textListOf(row: Row, column: string): readonly string[] {
  const value: unknown = JSON.parse(textOf(row, column));
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    throw new Error(`column ${column} contains no list of texts`);
  return value;
}
