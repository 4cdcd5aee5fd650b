/** The indexer as administrators see it (contract/indexer#progress). */

import { identifier, time } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

const blockNumber = (description: string) => z.int().min(0).describe(description);

const stream = () =>
  z.object({
    streamId: z
      .string()
      .describe('`main/l1` and `main/l2` of the bridge `main`, `swaps/ethereum/l2` of the pools of a network.'),
    bridgeId: identifier().describe('Absent for pools.').exactOptional(),
    pools: z.array(identifier()).describe('The pools; absent for a bridge.').exactOptional(),
    dlt: identifier().describe('The ledger of its network.'),
    networkId: identifier(),
    nextBlock: blockNumber('The next block to be read: everything below it is stored.'),
    head: z
      .object({ number: blockNumber('Its number.'), hash: z.string(), time: time('Of the block.') })
      .describe("The chain's newest block when it was read last; absent before that.")
      .exactOptional(),
    lagBlocks: z.int().min(0).describe('Blocks up to the head that are not stored yet.').exactOptional(),
    readAt: time('When the head was read last.').exactOptional(),
    isStale: z
      .boolean()
      .describe('Whether the chain has not been read for so long that answers to users say so (`staleSince`).'),
    trouble: z.string().describe('What interrupts it; absent when nothing does.').exactOptional(),
    epoch: z.int().min(0).describe('Grows with each reorganization and `flowgate reindex`; 0: it was never begun.'),
    rereadTo: blockNumber('While blocks are read again (`flowgate reindex`): the last of them.').exactOptional(),
    leader: z
      .string()
      .describe('The process that reads it, by a name that it has until it ends; absent while none does.')
      .exactOptional(),
    isLedHere: z.boolean().describe('Whether that is the process that answers.'),
  });

export const indexers = bodySchema(
  'Indexers',
  'What the gateway reads of bridges and pools, and how far it has got.',
  () => z.object({ indexers: z.array(stream()).describe('In the order of the configuration.') }),
  {
    indexers: [
      {
        ...{ streamId: 'main/l1', bridgeId: 'main', dlt: 'ethereum', networkId: 'l1', nextBlock: 21_000_001, epoch: 3 },
        head: { number: 21_000_000, hash: `0x${'1f'.repeat(32)}`, time: '2026-11-22T12:00:00.000Z' },
        ...{ lagBlocks: 0, readAt: '2026-11-22T12:00:03.000Z', isStale: false, leader: 'q83vEjRWeJCrze8S' },
        isLedHere: true,
      },
    ],
  },
);
