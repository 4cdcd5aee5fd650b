/**
 * A program that runs one PostgreSQL for a whole test run. It prints the port, or nothing where PostgreSQL is not
 * installed, and ends when its input closes, which happens when the process that started it ends.
 */

import { ownPostgres, postgresMissing } from './postgres.ts';

// The server is never killed while tests run. Commits of one file then never wait for those of another.
const port = postgresMissing === undefined ? (await ownPostgres('synchronous_commit=off')).port : '';
process.stdout.write(`${port}\n`);
for await (const _ of Bun.stdin.stream());
// The server ends with this process.
process.exit(0);
