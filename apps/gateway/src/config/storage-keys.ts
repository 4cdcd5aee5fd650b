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
        'Where everything durable is kept: `sqlite:<file>`, relative to the working directory, for one machine, or `postgres://…` for any number of gateways.',
      ),
    databaseConnections: whole(1, 1_000).default(10).describe('Connections that one gateway keeps to PostgreSQL.'),
    databaseTimeoutMs: whole(10, 1_000)
      .optional()
      .describe(
        'Milliseconds that a request waits for a read from the database before it is refused: by default 150 with PostgreSQL, which can be silent, and 500 with SQLite, which is slow only when the machine is. Writes have 1,000, because they wait for the disk.',
      ),
    redis: z
      .string()
      .refine(
        isRedisAddress,
        'must be redis://<user>:<password>@<host>:<port>/<number> or rediss://…, with user and password percent-encoded',
      )
      .optional()
      .describe(
        'Redis or Valkey, through which gateways share limits and revocations: `redis://user:password@host:port/number`.',
      ),
    redisTimeoutMs: whole(1, 10_000)
      .default(100)
      .describe('Milliseconds that a request waits for Redis before its gateway limits by itself.'),
    redisNamespace: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores')
      .default('flowgate')
      .describe('Begins the names of keys and channels in Redis: installations that share one differ in it.'),
  })
  .prefault({});

/** A raw `/`, `#`, `?` or `%` in a password makes it another address, or none. The message does not repeat it. */
function isRedisAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '')
    return false;
  return /^\/?\d*$/.test(url.pathname) && [url.username, url.password].every((part) => !/%(?![0-9a-f]{2})/i.test(part));
}
