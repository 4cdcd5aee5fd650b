import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { onSmallDisk, smallDiskMissing } from '../../../test/fixtures/small-disk.ts';

test.skipIf(smallDiskMissing !== undefined)(
  'on a full disk keys are revoked and found, nothing else is written, and room brings everything back',
  () => {
    const said = onSmallDisk(join(import.meta.dir, '../../../test/fixtures/full-disk-script.ts'), 24);
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
    // Told when it began, and once that it is over.
    expect(rest[4].troubles.filter((isTrouble: boolean) => !isTrouble)).toHaveLength(1);
    expect(rest[4].troubles.at(-1)).toBe(false);
  },
);
