/** Lists users for administrators (contract/administration#users). */

import type { Clock } from '@flowgate/base/clock';
import { isoTime } from '@flowgate/base/iso-time';
import { maxPageLimit } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { onceIn } from '../../api/once-in.ts';
import { pageQuery } from '../../api/page-query.ts';
import type { RouteQueryDoc } from '../../api/route.ts';
import type { UserListStore } from './user-list-store.ts';

export type ListUsersDeps = {
  readonly users: UserListStore;
  /** The user's requests of the last 24 hours. @throws Unavailable */
  readonly readLastDay: (userId: string) => Promise<{ readonly requests: number; readonly lastAtMs?: number }>;
  readonly clock: Pick<Clock, 'now'>;
};

const maxLimit = maxPageLimit;
const defaultLimit = 20;
const maxSearchLength = 255;

export const listedUser = bodySchema(
  'ListedUser',
  'A user who has API keys or has used the gateway.',
  () =>
    z.object({
      userId: z.string().describe('The `sub` of their tokens.'),
      lastSeenAt: time('When a request of the user was last counted, to the hour.').exactOptional(),
      requests24h: z.int().min(0).describe('Requests of the last 24 hours.'),
      keys: z.int().min(0).describe('Active API keys.'),
    }),
  { userId: 'user-1', lastSeenAt: '2026-11-23T10:00:00.000Z', requests24h: 240, keys: 2 },
);

export const userPage = pageSchema('UserPage', 'Users, ordered by id.', listedUser);

export const userQuery: readonly RouteQueryDoc[] = [
  ...pageQuery(defaultLimit),
  {
    name: 'search',
    description: 'Only users whose id contains this text; ASCII letters match in either case.',
    schema: () => z.string().min(1).max(maxSearchLength),
  },
];

/** @throws Unavailable */
export async function listUsers(
  { users, readLastDay, clock }: ListUsersDeps,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof userPage>, 'bad-request'>> {
  const problems: string[] = [];
  const once = onceIn(query, problems);
  const [limitText = String(defaultLimit), cursor, search = ''] = [once('limit'), once('cursor'), once('search')];
  const limit = /^[1-9]\d{0,2}$/.test(limitText) ? Number(limitText) : 0;
  if (limit < 1 || limit > maxLimit) problems.push(`limit must be a whole number from 1 to ${maxLimit}`);
  if (search.length > maxSearchLength || (search === '' && query.has('search')))
    problems.push(`search must have 1 to ${maxSearchLength} characters`);
  const after = cursor === undefined ? undefined : decoded(cursor);
  if (cursor !== undefined && after === undefined)
    problems.push('cursor must be the nextCursor of an earlier page of this list');
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  const found = await users.list({ search, limit, nowMs: clock.now(), ...(after === undefined ? {} : { after }) });
  const data: BodyOf<typeof listedUser>[] = [];
  for (const { userId, lastSeenAtMs, keys } of found.users) {
    const { requests, lastAtMs } = await readLastDay(userId);
    const seen = [lastSeenAtMs, lastAtMs].filter((atMs) => atMs !== undefined);
    const lastSeenAt = seen.length === 0 ? undefined : isoTime(Math.max(...seen));
    data.push({ userId, ...(lastSeenAt === undefined ? {} : { lastSeenAt }), requests24h: requests, keys });
  }
  return ok({ data, ...(found.next === undefined ? {} : { nextCursor: encoded(found.next) }) });
}

const encoded = (userId: string): string => Buffer.from(userId).toString('base64url');

function decoded(cursor: string): string | undefined {
  const userId = Buffer.from(cursor, 'base64url').toString();
  return userId !== '' && encoded(userId) === cursor ? userId : undefined;
}
