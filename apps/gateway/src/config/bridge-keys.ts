/** The configuration of bridges, of pools whose swaps are shown, and of the indexer that follows both. */

import { z } from 'zod';
import { contractAddress, identifier, seconds, whole } from './value-forms.ts';

const place = (side: string) =>
  z
    .strictObject({
      dlt: identifier.describe(`The ledger of the ${side} network.`),
      networkId: identifier.describe(`The ${side} network: one of \`networks\`, of the family \`evm\`.`),
    })
    .describe(`The ${side} network: one of \`networks\`, of the family \`evm\`.`);

const startBlock = whole(0, Number.MAX_SAFE_INTEGER).default(0);

export const bridgeKeys = z.strictObject({
  bridgeId: identifier.describe('Unique; callers name the bridge by it.'),
  name: z.string().min(1).max(100).optional().describe('For people; by default the bridgeId.'),
  l1: place('L1'),
  l2: place('L2'),
  contracts: z
    .strictObject({
      portal: contractAddress.describe('The `OptimismPortal`, version 3 or later.'),
      l1StandardBridge: contractAddress.describe('The `L1StandardBridge`.'),
      l1CrossDomainMessenger: contractAddress.describe('The `L1CrossDomainMessenger`.'),
      disputeGameFactory: contractAddress.describe('The `DisputeGameFactory`.'),
    })
    .describe("The rollup's contracts on L1; on L2 they are the predeploys of the OP Stack."),
  confirmations: whole(1, 100_000)
    .default(12)
    .describe('Blocks on L1, its own included, until a deposit is confirmed.'),
  startBlocks: z
    .strictObject({
      l1: startBlock.describe('Below it nothing of the bridge is on L1.'),
      l2: startBlock.describe('Below it nothing of the bridge is on L2.'),
    })
    .prefault({}),
  stalledAfterMinutes: seconds(0.01, 525_600)
    .default(30)
    .describe('Minutes without a new status after which a deposit counts as stalled.'),
  tokens: z
    .array(
      z.strictObject({
        l1: contractAddress.describe('The token on L1.'),
        l2: contractAddress.describe('The token on L2.'),
      }),
    )
    .default([])
    .describe('Pairs of tokens that `OptimismMintableERC20Created` on L2 does not tell.'),
});

export const swapPoolKeys = z.strictObject({
  dlt: identifier.describe('The ledger of the network.'),
  networkId: identifier.describe('One of `networks`, of the family `evm`.'),
  poolId: identifier.describe('Unique.'),
  address: contractAddress.describe('The pool; its tokens are read from it.'),
  form: z.enum(['v2', 'v3']).describe("The form of the pool's `Swap` event, as in Uniswap's version 2 or 3."),
  startBlock: startBlock.describe('Below it the pool has no swaps.'),
});

export const indexerKeys = z
  .strictObject({
    maxBlockRange: whole(1, 1_000_000)
      .default(2_000)
      .describe('Blocks that one `eth_getLogs` of the indexer covers at most.'),
    pollSeconds: seconds(0.05, 3_600)
      .default(4)
      .describe('Seconds after which the indexer looks at the chains again when nobody has told it of a new block.'),
  })
  .prefault({});
