/** Pages of a list: `limit` and `cursor` as every list takes them (contract/conventions#lists). */

import { ok, type Result, refused } from './result.ts';

/** A position in a list that is ordered newest first by time and id: just after this item. */
export type Position = { readonly atMs: number; readonly id: string };

/** The envelope of every list. `nextCursor`: present when there is more. */
export type Page<T> = { readonly data: readonly T[]; readonly nextCursor?: string };

export type PageRequest = { readonly limit: number; readonly after?: Position };

/** The maximum number of entries on a page. */
export const maxPageLimit = 100;

export type PageRules = {
  readonly defaultLimit: number;
  /** Default `maxPageLimit`. */
  readonly maxLimit?: number;
  /** Whether the id in a cursor can be one of this list. */
  readonly isId: (id: string) => boolean;
};

/**
 * Reads `?limit=` and `?cursor=`; ignores the rest of the query. Refuses repeated, empty and out-of-range values, and
 * invalid cursors.
 */
export function parsePage(query: URLSearchParams, rules: PageRules): Result<PageRequest, 'bad-request'> {
  const { defaultLimit, maxLimit = maxPageLimit, isId } = rules;
  const limits = query.getAll('limit');
  const cursors = query.getAll('cursor');
  const [limitText = String(defaultLimit)] = limits;
  const limit = /^[1-9]\d{0,8}$/.test(limitText) ? Number(limitText) : 0;
  const [cursor] = cursors;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, isId);
  const problems: string[] = [];
  if (limits.length > 1) problems.push('limit must be given once');
  else if (limit < 1 || limit > maxLimit) problems.push(`limit must be a whole number from 1 to ${maxLimit}`);
  if (cursors.length > 1) problems.push('cursor must be given once');
  else if (cursor !== undefined && after === undefined) problems.push('cursor is not one that this list gave');
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  return ok(after === undefined ? { limit } : { limit, after });
}

/** One page of a list, as every list returns it. `next`: where the next page begins; undefined on the last one. */
export function pageOf<T>(data: readonly T[], next: Position | undefined): Page<T> {
  return next === undefined ? { data } : { data, nextCursor: encodeCursor(next) };
}

/** Opaque to callers: base64url of the position. */
export function encodeCursor(position: Position): string {
  return Buffer.from(`${position.atMs}.${position.id}`).toString('base64url');
}

/** The position, or `undefined` unless the cursor is exactly what `encodeCursor` returns for it. */
export function decodeCursor(cursor: string, isId: (id: string) => boolean): Position | undefined {
  if (cursor.length > 256) return undefined;
  const [, time, id] = /^(\d{1,15})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined || !isId(id)) return undefined;
  const position = { atMs: Number(time), id };
  return encodeCursor(position) === cursor ? position : undefined;
}
