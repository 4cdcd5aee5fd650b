/** A program that runs one PostgreSQL for a whole test run: prints its port, or nothing where there is no PostgreSQL, and ends with its input, which ends with the process that started it. */

import { ownPostgres, postgresMissing } from './postgres.ts';

// It is never killed while tests run. Commits of one file then never wait for those of another.
const port = postgresMissing === undefined ? (await ownPostgres('synchronous_commit=off')).port : '';
process.stdout.write(`${port}\n`);
for await (const _ of Bun.stdin.stream());
// The server ends with this process.
process.exit(0);
