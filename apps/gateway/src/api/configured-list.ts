/** Pages of a list from the configuration, in the order of the configuration. The cursor is an entry's id. */

import { pageOf, parsePage } from '@flowgate/base/page';
import type { RouteAnswer } from './route.ts';

/** Paged by `?limit=` and `?cursor=` (contract/conventions#lists). A cursor whose entry no longer exists returns 400. */
export function configuredPage<T>(
  entries: readonly T[],
  idOf: (entry: T) => string,
  query: URLSearchParams,
  view: (entry: T) => object,
): RouteAnswer {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => entries.some((entry) => idOf(entry) === id) });
  if (!page.ok) return page;
  const { limit, after } = page.value;
  const from = after === undefined ? 0 : entries.findIndex((entry) => idOf(entry) === after.id) + 1;
  const shown = entries.slice(from, from + limit);
  const last = shown.at(-1);
  const more = from + limit < entries.length && last !== undefined;
  return { status: 200, body: pageOf(shown.map(view), more ? { atMs: 0, id: idOf(last) } : undefined) };
}
