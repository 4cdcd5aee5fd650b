/** Reads lists: one page at a time, or all entries over all pages. */

import { type Ids, type Route, routePath } from './ask.ts';
import { noAnswerFacts } from './flowgate-error.ts';
import type { Routes } from './generated/routes.ts';
import { unreadable } from './read-answer.ts';
import { hasShape, type Shape } from './shape.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Page } from './wire.ts';

export type PageOptions<Filter = never> = CallOptions & {
  /** Filters; an entry must match all of them. */
  readonly filter?: Filter | undefined;
  /** Entries per page, 1 to 100; default: the gateway's. */
  readonly limit?: number | undefined;
  /** The previous page's `nextCursor`; omitted: the first page. */
  readonly cursor?: string | undefined;
};

export type Paged<T, Filter = never> = {
  /** All entries; requests the next page when it is needed. `limit` is the size of a page; the other options apply to each request. */
  list(options?: Omit<PageOptions<Filter>, 'cursor'>): AsyncIterable<T>;
  /** One page. */
  page(options?: PageOptions<Filter>): Promise<Page<T>>;
};

type Filters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The query parameters of the route. */
type Entry<R extends Route> = Routes[R]['answer'] extends { data: readonly (infer T)[] } ? T : never;

export function createPaged<R extends Route>(
  send: Send,
  route: R,
  entry: Shape<Entry<R>>,
  ids: Ids<R>,
): Paged<Entry<R>, Filters> {
  const path = routePath(route, ids);
  const shape = pageShape(entry);

  async function page({ limit, cursor, filter, ...options }: PageOptions<Filters> = {}): Promise<Page<Entry<R>>> {
    const search = searchOf({ limit, cursor, ...filter });
    const { body, facts } = await send({ method: 'GET', path: path + search, repeatable: true, options });
    if (!hasShape(body, shape)) throw unreadable(facts);
    const { data, nextCursor } = body;
    return nextCursor === undefined ? { data } : { data, nextCursor };
  }

  return { list: (options = {}) => entriesOf((cursor) => page({ ...options, cursor })), page };
}

export function pageShape<T>(entry: Shape<T>): Shape<Page<T>> {
  return { data: [entry], 'nextCursor?': 's' };
}

/** The query of a page, with its question mark; empty without parameters. Several values are joined by commas. */
export function searchOf(members: Readonly<Record<string, string | number | readonly string[] | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, String(value));
  return String(query) === '' ? '' : `?${query}`;
}

/** In a row. With a selective filter a page may be empty although more pages follow. */
const maxEmptyPages = 1_000;

/** All entries over all pages; `pageAt` is called for the next page when it is needed. */
export async function* entriesOf<T>(pageAt: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  let emptyPages = 0;
  do {
    const { data, nextCursor } = await pageAt(cursor);
    yield* data;
    emptyPages = data.length === 0 ? emptyPages + 1 : 0;
    if (nextCursor !== undefined && (nextCursor === cursor || emptyPages > maxEmptyPages)) {
      throw unreadable(noAnswerFacts, 'The list does not end: its cursors repeat or its pages are empty.');
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
}
