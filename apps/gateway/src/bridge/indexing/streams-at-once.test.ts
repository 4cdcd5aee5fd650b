/** Two streams of one bridge that store related facts at the same time see each other's (docs/decisions/0112). */

import { expect, test } from 'bun:test';
import { followDeposits } from '../../../test/fixtures/deposit-follower.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';

const rounds = 12;

onEveryEngine((engine, open) => {
  test(`a deposit and the relay of its message, stored at the same time: it has arrived, on ${engine}`, async () => {
    const { database, close } = await open();
    const follower = await followDeposits(database);
    const { world } = follower;
    for (let round = 0; round < rounds; round++) {
      const sent = Array.from({ length: 5 }, () => world.send('relayed'));
      world.mineL1();
      for (let block = 0; block < 3; block++) world.derive();
      await Promise.all([follower.read('l1'), follower.read('l2')]);
      for (const each of sent) expect((await follower.recordOf(each))?.status).toBe('completed');
    }
    await close();
  });
});
