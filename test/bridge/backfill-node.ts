/** A process that serves a simulated bridge with many events, so that neither the gateway nor the measurement shares its core. Argument: the number of events. Prints a line of JSON once it serves. */

import { createSimBridge } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import { startSimBridgeNode } from '../../apps/gateway/test/fixtures/sim-bridge-node.ts';
import { addresses } from './bridge-people.ts';

/** In each block of both chains: deposits and their arrival, withdrawals, swaps. */
const perBlock = { deposits: 10, withdrawals: 5, swaps: 5 };
const events = Number(Bun.argv[2] ?? 1_000);
const bridge = createSimBridge({ seed: 1, startTime: Math.floor(Date.now() / 1000) - 1_000_000 });
const personOf = (nth: number) => addresses[nth % addresses.length] ?? '';
let logs = 0;
for (let block = 0; logs < events; block++) {
  for (let nth = 0; nth < perBlock.deposits; nth++)
    bridge.deposit({ from: personOf(nth), to: personOf(nth + 1), amount: BigInt(block + 1) });
  bridge.mine('l1');
  for (let nth = 0; nth < perBlock.withdrawals; nth++)
    bridge.withdraw({ from: personOf(nth), to: personOf(nth + 1), amount: 5n, kind: 'portal' });
  for (let nth = 0; nth < perBlock.swaps; nth++) bridge.swap({ from: personOf(nth), amountIn: 5n, amountOut: 4n });
  bridge.mine('l2');
  logs += 2 * perBlock.deposits + perBlock.withdrawals + perBlock.swaps;
}
const limits = { blockRange: 100_000, results: 1_000_000 };
const options = { limits, hasRoots: false };
const [l1, l2] = [startSimBridgeNode(bridge, 'l1', options), startSimBridgeNode(bridge, 'l2', options)];
console.log(
  JSON.stringify({
    ...{ events: logs, heads: { l1: bridge.l1.head().number, l2: bridge.l2.head().number } },
    chainIds: { l1: bridge.l1.chainId, l2: bridge.l2.chainId },
    urls: { l1: [l1.httpUrl], l2: [l2.httpUrl] },
    ...{ contracts: bridge.contracts, pools: bridge.pools },
  }),
);
