/** A page out of what a list's query gave: one row more than asked for tells whether there is a next one. */

import type { Position } from '../../../platform/page.ts';

export function pageOf<T extends { readonly createdAtMs: number }>(
  found: readonly T[],
  limit: number,
  idOf: (record: T) => string,
): { readonly records: readonly T[]; readonly next?: Position } {
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return found.length > limit && last !== undefined
    ? { records, next: { atMs: last.createdAtMs, id: idOf(last) } }
    : { records };
}
