/** The indexer's state as administrators see it (contract/indexer#progress). */

import { identifier, time } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

const blockNumber = (description: string) => z.int().min(0).describe(description);

const stream = () =>
  z.object({
    streamId: z
      .string()
      .describe('`main/l1` and `main/l2` for the bridge `main`, `swaps/ethereum/l2` for the pools of a network.'),
    bridgeId: identifier().describe('Absent for pools.').exactOptional(),
    pools: z.array(identifier()).describe('The pools; absent for a bridge.').exactOptional(),
    dlt: identifier().describe('The ledger of its network.'),
    networkId: identifier(),
    nextBlock: blockNumber('The next block to read: everything below it is stored.'),
    head: z
      .object({ number: blockNumber('Its number.'), hash: z.string(), time: time('Of the block.') })
      .describe("The chain's newest block at the last read; absent before the first.")
      .exactOptional(),
    lagBlocks: z.int().min(0).describe('Blocks up to the head that are not stored yet.').exactOptional(),
    readAt: time('When the head was last read.').exactOptional(),
    isStale: z
      .boolean()
      .describe('True when the chain has not been read for so long that responses to users have `staleSince`.'),
    trouble: z.string().describe('The reason why reading is interrupted; absent when it is not.').exactOptional(),
    epoch: z.int().min(0).describe('Grows with each reorganization and `flowgate reindex`; 0: reading never began.'),
    rereadTo: blockNumber('While blocks are read again (`flowgate reindex`): the last of them.').exactOptional(),
    leader: z
      .string()
      .describe(
        'The process that reads the stream, by a name that it has until it ends; absent while no process reads.',
      )
      .exactOptional(),
    isLedHere: z.boolean().describe('True when it is the process that answers this request.'),
  });

export const indexers = bodySchema(
  'Indexers',
  'What the gateway reads of bridges and pools, and its progress.',
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
