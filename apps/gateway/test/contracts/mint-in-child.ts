/** A process of its own that inserts keys and prints the keyId of each that was acknowledged: `bun mint-in-child.ts <address> <owner> <tries> <limit>`. */

import { auditedKeyStore } from '../fixtures/audited-keys.ts';
import { openAddress } from './open-address.ts';

const [address = '', owner = '', tries = '0', limit = '0'] = process.argv.slice(2);
const database = await openAddress(address);
const store = auditedKeyStore(database);

async function mint(at: number): Promise<void> {
  const keyId = `${owner}${String(at).padStart(16 - owner.length, '0')}`;
  const record = {
    keyId,
    ownerId: 'shared',
    label: 'l',
    scopes: ['rpc'],
    digest: '',
    pepperVersion: '',
    createdAtMs: at,
  };
  if (await store.insertIfUnder(record, Number(limit), 0)) process.stdout.write(`${keyId}\n`);
}

// Four at a time, so that a commit contains several keys and the process can be killed in the middle of one.
for (let at = 0; at < Number(tries); at += 4) await Promise.all([mint(at), mint(at + 1), mint(at + 2), mint(at + 3)]);
await database.close();
