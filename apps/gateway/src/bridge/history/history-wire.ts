/** The history as callers see it (contract/history#entries). */

import { identifier, time } from '@flowgate/body-schema/body-members';
import { bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { amount } from '../../api/amount-member.ts';
import { evmAddress, exampleAddress } from '../../api/evm-address-member.ts';
import { transactionHash } from '../lists/transfer-wire.ts';
import { shownToken } from '../tokens/token-wire.ts';
import { historyTypes, transactionPurposes } from './history-record.ts';

const moved = (description: string) =>
  z.object({ token: shownToken(), amount: amount('The amount, in base units.') }).describe(description);

export const historyEntry = bodySchema(
  'HistoryEntry',
  'A deposit, a swap or a withdrawal in which a linked wallet of the caller sends or receives.',
  () =>
    z.object({
      type: z.enum(historyTypes),
      id: z.string().describe("The record's id: `dep_`, `swp_` or `wdr_` and a ULID."),
      status: z.string().describe('For a deposit or a withdrawal: its status. For a swap: `completed` or `failed`.'),
      createdAt: time('The time of the first block of the record.'),
      dlt: identifier(),
      networkId: identifier().describe(
        'The network of the first transaction: L1 for a deposit, L2 for a withdrawal, the network of a swap.',
      ),
      wallet: evmAddress('The linked wallet. When both sender and receiver are linked: the sender.'),
      sent: moved('What a linked wallet sends. `status` says whether it is sent.').exactOptional(),
      received: moved('What a linked wallet receives. `status` says whether it has arrived.').exactOptional(),
      transactions: z.array(
        z.object({
          dlt: identifier(),
          networkId: identifier(),
          hash: transactionHash('The transaction.'),
          purpose: z
            .enum(transactionPurposes)
            .describe(
              '`deposit` on L1, and its `arrival` on L2 under the hash derived from it; `initiation` on L2, `proof` and `finalisation` on L1, once they exist; `swap`.',
            ),
        }),
      ),
    }),
  {
    type: 'swap',
    id: 'swp_01JD9Z3B4C5D6E7F8G9HJKMNPQ',
    status: 'completed',
    createdAt: '2026-11-22T10:00:00.000Z',
    dlt: 'ethereum',
    networkId: 'l2',
    wallet: exampleAddress,
    sent: {
      token: { native: false, address: '0x4200000000000000000000000000000000000006', symbol: 'WETH', decimals: 18 },
      amount: '1000000000000000',
    },
    received: {
      token: { native: false, address: exampleAddress, symbol: 'USD', decimals: 18 },
      amount: '1994000000000000',
    },
    transactions: [{ dlt: 'ethereum', networkId: 'l2', hash: `0x${'4e'.repeat(32)}`, purpose: 'swap' }],
  },
);

export const historyPage = pageSchema('HistoryPage', 'Deposits, swaps and withdrawals, newest first.', historyEntry);
