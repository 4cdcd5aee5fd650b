/** Reads lists: a page at a time, or every entry over all pages. */

import { hasMembers } from './has-members.ts';
import { unreadable } from './read-answer.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Page } from './wire.ts';

export type PageOptions = CallOptions & {
  /** 1 to 100 entries; left out, the gateway chooses. */
  readonly limit?: number | undefined;
  /** The page before's `nextCursor`; left out, the first page. */
  readonly cursor?: string | undefined;
};

export type Paged<T> = {
  /** Every entry, asking for the next page when it is needed. `limit` is the size of a page; the other options bound each request. */
  list(options?: Omit<PageOptions, 'cursor'>): AsyncIterable<T>;
  /** One page. */
  page(options?: PageOptions): Promise<Page<T>>;
};

export function createPaged<T>(send: Send, path: string, isEntry: (value: unknown) => value is T): Paged<T> {
  async function page({ limit, cursor, ...options }: PageOptions = {}): Promise<Page<T>> {
    const query = new URLSearchParams();
    if (limit !== undefined) query.set('limit', String(limit));
    if (cursor !== undefined) query.set('cursor', cursor);
    const search = String(query) === '' ? '' : `?${query}`;
    const { body, facts } = await send({ method: 'GET', path: path + search, repeatable: true, options });
    const data = hasMembers(body, {}, { nextCursor: 'string' }) ? body['data'] : undefined;
    if (!hasMembers(body, {}) || !Array.isArray(data) || !data.every(isEntry)) throw unreadable(facts);
    const { nextCursor } = body;
    return typeof nextCursor === 'string' ? { data, nextCursor } : { data };
  }

  async function* list(options: Omit<PageOptions, 'cursor'> = {}): AsyncGenerator<T> {
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await page({ ...options, cursor });
      yield* data;
      cursor = nextCursor;
    } while (cursor !== undefined);
  }

  return { list, page };
}
