/** A process that acquires leases and never releases them: `bun lease-in-child.ts <address> <lease name> <queue> <ttlMs>` prints what it got, and waits until it is killed. */

import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { createSqlOutboxStore } from '@flowgate/sql/coordination/sql-outbox-store';
import { openAddress } from './open-address.ts';

const [address = '', name = '', queue = '', ttlMs = '0'] = process.argv.slice(2);
const database = await openAddress(address);
const attempt = await createSqlLeaseStore(database).acquire(name, `child ${process.pid}`, Number(ttlMs));
const items = await createSqlOutboxStore(database, queue, 'ordered').leaseBatch(10, Number(ttlMs));
process.stdout.write(`${JSON.stringify({ attempt, items })}\n`);
setInterval(() => undefined, 1_000);
