/** The configuration of storage: the database, and Redis. */

import { z } from 'zod';
import { whole } from './value-forms.ts';

export const storageKeys = z
  .strictObject({
    database: z
      .string()
      .regex(
        /^(sqlite:(?!:memory:|file:).+|postgres(ql)?:\/\/.+)/,
        'must be sqlite:<file> or postgres://<user>:<password>@<host>:<port>/<database>',
      )
      .default('sqlite:./data/flowgate.db')
      .describe(
        'Database for all durable data: `sqlite:<file>`, relative to the working directory, for one machine; `postgres://…` for any number of gateways.',
      ),
    databaseConnections: whole(1, 1_000).default(10).describe('PostgreSQL connections per gateway process.'),
    databaseTimeoutMs: whole(10, 1_000)
      .optional()
      .describe(
        'Time that a request waits for a database read before it is refused. Default: 150 with PostgreSQL, 500 with SQLite. Writes have 1,000.',
      ),
    redis: z
      .string()
      .refine(
        isRedisAddress,
        'must be redis://<user>:<password>@<host>:<port>/<number> or rediss://…, with user and password percent-encoded',
      )
      .optional()
      .describe('Redis or Valkey, through which gateways share limits and revocations.'),
    redisTimeoutMs: whole(1, 10_000)
      .default(100)
      .describe('Time that a request waits for Redis before its gateway applies the limit by itself.'),
    redisNamespace: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores')
      .default('flowgate')
      .describe('Prefix of all keys and channels in Redis. Installations that share a Redis need different prefixes.'),
  })
  .prefault({});

/** An unescaped `/`, `#`, `?` or `%` in a password makes the address invalid or another one. The message does not repeat it. */
function isRedisAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '')
    return false;
  return /^\/?\d*$/.test(url.pathname) && [url.username, url.password].every((part) => !/%(?![0-9a-f]{2})/i.test(part));
}
