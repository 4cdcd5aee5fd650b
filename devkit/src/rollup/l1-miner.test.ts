/** Blocks of L1 without transactions. */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { startChain } from '../chain.ts';
import { startL1Miner } from './l1-miner.ts';
import { rollupChain } from './rollup-chain.ts';

test('L1 gets blocks over time, each while nothing else changes the chains, until the miner stops', async () => {
  const chain = await startChain({ chainId: 900 });
  try {
    const l1 = rollupChain(chain.url, 900);
    let isAlone = false;
    const alone = async (work: () => Promise<void>) => {
      expect(isAlone).toBe(false);
      isAlone = true;
      await work();
      isAlone = false;
    };
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const miner = startL1Miner({ l1, hasNewsOnL2: () => Promise.resolve(false), alone, onError, blockMs: 5 });
    await until('there are blocks', async () => (await l1.reader.getBlockNumber()) > 3n);
    await miner.stop();
    const head = await l1.reader.getBlockNumber();
    // Real time: ten times the pause between two blocks.
    await Bun.sleep(50);
    expect(await l1.reader.getBlockNumber()).toBe(head);
    expect(errors).toEqual([]);
  } finally {
    await chain.kill();
  }
});
