import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { onSmallDisk, smallDiskMissing } from '@flowgate/testing/small-disk';
import { keyRecord } from '../../../../../apps/gateway/src/identity/keys/api-key-store.contract.ts';
import { schema } from '../../../../../apps/gateway/src/storage/storage-schema.ts';
import { auditedKeyStore } from '../../../../../apps/gateway/test/fixtures/audited-keys.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

test.skipIf(smallDiskMissing !== undefined)(
  'on a full disk keys are revoked and found, no other write succeeds, and free space brings everything back',
  () => {
    const said = onSmallDisk(
      new URL('../../../../../apps/gateway/test/fixtures/full-disk-script.ts', import.meta.url).pathname,
      24,
    );
    const [minted, ...rest] = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(minted.mint).toContain('full');
    expect(rest.slice(0, 4)).toEqual([
      { revoked: 400 },
      { found: 400 },
      { mintAgain: 'rejected' },
      { mintWithRoom: 'fulfilled' },
    ]);
    // The trouble is reported when it begins, and its end is reported once.
    expect(rest[4].troubles.filter((isTrouble: boolean) => !isTrouble)).toHaveLength(1);
    expect(rest[4].troubles.at(-1)).toBe(false);
  },
);

test.skipIf(smallDiskMissing !== undefined)(
  'a database opens on a full disk with the help of the reserve, and its keys are revoked although another process takes the freed space',
  () => {
    const said = onSmallDisk(
      new URL('../../../../../apps/gateway/test/fixtures/full-disk-start-script.ts', import.meta.url).pathname,
      24,
    );
    const [another, found, revoked] = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(another.another).toContain('its disk is full');
    expect([found, revoked]).toEqual([{ found: 50 }, { revoked: 50 }]);
  },
);

test("any file or folder at the reserve's path does not prevent writes", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-reserve-'));
  try {
    for (const [name, put] of [
      ['loop', (path: string) => symlinkSync(path, path)],
      ['directory', (path: string) => mkdirSync(path)],
      ['nowhere', (path: string) => symlinkSync(join(directory, 'no', 'where'), path)],
    ] as const) {
      const file = join(directory, `${name}.db`);
      put(`${file}-reserve`);
      const database = await openSqliteDatabase({ schema, file, clock: systemClock });
      const key = keyRecord({ ownerId: name });
      const store = auditedKeyStore(database);
      expect(await store.insertIfUnder(key, 10, 0)).toBe(true);
      expect(await store.revoke(name, key.keyId, 77)).toBe('revoked');
      await database.close();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
