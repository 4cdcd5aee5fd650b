import { expect, test } from 'bun:test';
import type { Network } from '../../upstream/networks/network.ts';
import type { BridgeSide, SwapPool } from '../bridges/bridge.ts';
import { listIndexers } from './list-indexers.ts';

const side: BridgeSide = { dlt: 'e', networkId: 'l2', chainId: 1, network: {} as Network };
const pool: SwapPool = { poolId: 'p', side, address: `0x${'5'.repeat(40)}`, form: 'v2', startBlock: 3 };

test('contracts that differ from the configuration are the trouble that is reported first (contract/indexer#progress)', async () => {
  const troubleOf = async (wrong: string | undefined, trouble: string | undefined) => {
    const state = { streamId: 'swaps/e/l2', nextBlock: 9, epoch: 1, readAtMs: 5 };
    const states = [trouble === undefined ? state : { ...state, trouble }];
    const { indexers } = await listIndexers({
      ...{ bridges: [], pools: [pool], clock: { now: () => 5 }, pollMs: 1, nodeId: 'one' },
      store: { states: async () => states, leader: async () => undefined },
      misconfigured: (streamId) => (streamId === 'swaps/e/l2' ? wrong : undefined),
    });
    return indexers.map((each) => each.trouble);
  };
  expect(await troubleOf(undefined, undefined)).toEqual([undefined]);
  expect(await troubleOf(undefined, 'no node answers')).toEqual(['no node answers']);
  expect(await troubleOf('misconfigured: x', 'no node answers')).toEqual(['misconfigured: x']);
});
