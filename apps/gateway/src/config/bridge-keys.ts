/** The configuration of bridges, of pools whose swaps are shown, and of the indexer that follows both. */

import { z } from 'zod';
import { contractAddress, identifier, seconds, whole } from './value-forms.ts';

const place = (side: string) =>
  z
    .strictObject({
      dlt: identifier.describe(`Ledger of the ${side} network.`),
      networkId: identifier.describe(`The ${side} network: one of \`networks\`, of the family \`evm\`.`),
    })
    .describe(`The ${side} network: one of \`networks\`, of the family \`evm\`.`);

const startBlock = whole(0, Number.MAX_SAFE_INTEGER).default(0);

export const bridgeKeys = z.strictObject({
  bridgeId: identifier.describe('Unique name of the bridge.'),
  name: z.string().min(1).max(100).optional().describe('Display name. Default: the `bridgeId`.'),
  l1: place('L1'),
  l2: place('L2'),
  contracts: z
    .strictObject({
      portal: contractAddress.describe('The `OptimismPortal` contract, version 3 or later.'),
      l1StandardBridge: contractAddress.describe('The `L1StandardBridge` contract.'),
      l1CrossDomainMessenger: contractAddress.describe('The `L1CrossDomainMessenger` contract.'),
      disputeGameFactory: contractAddress.describe('The `DisputeGameFactory` contract.'),
    })
    .describe("The rollup's contracts on L1; on L2 they are the predeploys of the OP Stack."),
  confirmations: whole(1, 100_000)
    .default(12)
    .describe('L1 blocks after which a deposit is confirmed, its own block included.'),
  startBlocks: z
    .strictObject({
      l1: startBlock.describe('First L1 block that may contain an event of the bridge.'),
      l2: startBlock.describe('First L2 block that may contain an event of the bridge.'),
    })
    .prefault({}),
  stalledAfterMinutes: seconds(0.01, 525_600)
    .default(30)
    .describe('Time without a new status after which a deposit counts as stalled.'),
  tokens: z
    .array(
      z.strictObject({
        l1: contractAddress.describe('The token on L1.'),
        l2: contractAddress.describe('The token on L2.'),
      }),
    )
    .default([])
    .describe('Token pairs that no `OptimismMintableERC20Created` event on L2 reports.'),
});

export const swapPoolKeys = z.strictObject({
  dlt: identifier.describe('Ledger of the network.'),
  networkId: identifier.describe('The network: one of `networks`, of the family `evm`.'),
  poolId: identifier.describe('Unique name of the pool.'),
  address: contractAddress.describe('Address of the pool; its tokens are read from it.'),
  form: z.enum(['v2', 'v3']).describe("Version of the pool's `Swap` event: that of Uniswap v2 or v3."),
  startBlock: startBlock.describe('First block that may contain a swap of the pool.'),
});

export const indexerKeys = z
  .strictObject({
    maxBlockRange: whole(1, 1_000_000).default(2_000).describe('Blocks per `eth_getLogs` call of the indexer.'),
    pollSeconds: seconds(0.05, 3_600)
      .default(4)
      .describe('Interval at which the indexer reads the chains when no new block is reported.'),
  })
  .prefault({});
