/** Users in SQL. No table of users exists: they are found in the tables of keys and usage. */

import type { Database } from '@flowgate/sql/engine/database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import type { KnownUser, UserListStore } from './user-list-store.ts';

const deadlineMs = 3_000;
/** The maximum number of users that one page visits: each costs two seeks in an index. */
const maxLookedAt = 5_000;

export function createSqlUserListStore(database: Database): UserListStore {
  return {
    async list({ search, after = '', limit, nowMs }) {
      // Seeks from one user to the next, without reading the user's other rows.
      const { text, values } = sql`WITH RECURSIVE users (nth, user_id) AS (
          SELECT 1, (SELECT MIN(id) FROM (
            SELECT MIN(user_id) AS id FROM usage_series WHERE user_id > ${after}
            UNION ALL SELECT MIN(owner_id) FROM api_keys WHERE owner_id > ${after}) AS first)
          UNION ALL
          SELECT nth + 1, (SELECT MIN(id) FROM (
            SELECT MIN(user_id) AS id FROM usage_series WHERE user_id > users.user_id
            UNION ALL SELECT MIN(owner_id) FROM api_keys WHERE owner_id > users.user_id) AS following)
          FROM users WHERE user_id IS NOT NULL AND nth < ${maxLookedAt}
        )
        SELECT nth, user_id FROM users WHERE user_id IS NOT NULL
          AND (nth = ${maxLookedAt} OR LOWER(user_id) LIKE ${patternOf(search)} ESCAPE '\\') LIMIT ${limit + 1}`;
      const rows = await database.query(text, values, { deadlineMs });
      const found = rows.map((row) => ({ nth: integerOf(row, 'nth'), userId: textOf(row, 'user_id') }));
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const hasMore = last !== undefined && (found.length > limit || last.nth === maxLookedAt);
      const matching = page.filter(({ userId }) => lowered(userId).includes(lowered(search)));
      const users = await detailsOf(
        database,
        matching.map(({ userId }) => userId),
        nowMs,
      );
      return hasMore ? { users, next: last.userId } : { users };
    },
  };
}

/** Lower case as in the engines' LOWER, one of which supports only ASCII. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const patternOf = (search: string): string => `%${lowered(search).replace(/[\\%_]/g, '\\$&')}%`;

async function detailsOf(database: Database, userIds: readonly string[], nowMs: number): Promise<readonly KnownUser[]> {
  if (userIds.length === 0) return [];
  const ofKeys = sql`SELECT owner_id AS user_id, MAX(last_used_at) AS seen_at,
      CAST(SUM(CASE WHEN revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${nowMs}) THEN 1 ELSE 0 END) AS BIGINT) AS active
    FROM api_keys WHERE owner_id IN (${list(userIds)}) GROUP BY owner_id`;
  const ofUsage = sql`SELECT user_id, MAX(seen_at) AS seen_at FROM usage_series WHERE user_id IN (${list(userIds)}) GROUP BY user_id`;
  const [keys, usage] = await Promise.all(
    [ofKeys, ofUsage].map(({ text, values }) => database.query(text, values, { deadlineMs })),
  );
  const keysOf = new Map((keys ?? []).map((row) => [textOf(row, 'user_id'), row]));
  const usageOf = new Map((usage ?? []).map((row) => [textOf(row, 'user_id'), row]));
  return userIds.map((userId) => {
    const seen = [keysOf.get(userId), usageOf.get(userId)].flatMap((row) =>
      row === undefined || row['seen_at'] === null ? [] : [integerOf(row, 'seen_at')],
    );
    const row = keysOf.get(userId);
    return {
      userId,
      ...(seen.length === 0 ? {} : { lastSeenAtMs: Math.max(...seen) }),
      keys: row === undefined ? 0 : integerOf(row, 'active'),
    };
  });
}
