/** The sequencer on two bare chains, one of which is stopped while it receives a derived transaction. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { zeroAddress } from 'viem';
import { type Chain, startChain } from '../chain.ts';
import { type RollupChain, rollupChain } from './rollup-chain.ts';
import { startSequencer } from './sequencer.ts';

let chains: { readonly l1: Chain; readonly l2: Chain };
beforeAll(async () => {
  const [l1, l2] = await Promise.all([
    startChain({ chainId: 900 }),
    startChain({ chainId: 901, flags: ['--network', 'optimism', '--disable-pool-balance-checks'] }),
  ]);
  chains = { l1, l2 };
});
afterAll(async () => {
  await Promise.all([chains?.l1.kill(), chains?.l2.kill()]);
});

/** Stops the next transaction that is sent to the chain. */
function stoppedAtSending(chain: RollupChain) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const ask: RollupChain['ask'] = async (method, params) => {
    if (method === 'eth_sendRawTransaction') {
      reached.resolve();
      await released.promise;
    }
    return await chain.ask(method, params);
  };
  return { chain: { ...chain, ask }, reached: reached.promise, release: released.resolve };
}

test('a pause takes effect after the current block; later blocks of L1 wait for the resumption', async () => {
  const l1 = rollupChain(chains.l1.url, 900);
  const { chain: l2, reached, release } = stoppedAtSending(rollupChain(chains.l2.url, 901));
  const [onL1, onL2] = await Promise.all([l1.reader.getBlock(), l2.reader.getBlock()]);
  const start = { l1Number: Number(onL1.number), l1Hash: onL1.hash, l2Number: Number(onL2.number), l2Hash: onL2.hash };
  const errors: unknown[] = [];
  const sequencer = startSequencer({
    ...{ l1, l2, portal: zeroAddress, derived: [start], changed: () => {}, onError: (error) => errors.push(error) },
  });
  try {
    await l1.ask('anvil_mine', ['0x3']);
    await reached;
    let isPaused = false;
    const paused = sequencer.pause().then(() => {
      isPaused = true;
    });
    // L2 answers other calls meanwhile: enough time for a pause that does not wait.
    await l2.reader.getBlockNumber();
    expect(isPaused).toBe(false);
    release();
    await paused;
    // One of three was being derived.
    expect(await l2.reader.getBlockNumber()).toBe(onL2.number + 1n);
    await l1.ask('anvil_mine', ['0x1']);
    await sequencer.catchUp();
    expect(await l2.reader.getBlockNumber()).toBe(onL2.number + 1n);
    sequencer.resume();
    await until('L2 follows', async () => (await l2.reader.getBlockNumber()) === onL2.number + 4n);
    expect(errors).toEqual([]);
  } finally {
    release();
    await sequencer.stop();
  }
});
