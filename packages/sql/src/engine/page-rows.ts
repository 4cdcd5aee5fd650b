/** Makes a page from a list's rows: one row more than requested means that there is a next page. */

import type { Position } from '@flowgate/base/page';

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
