/** Transactions that the gateway prepares and a wallet signs (contract/conventions#prepared-transactions). */

import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { amount } from '../api/amount-member.ts';
import { evmAddress, exampleAddress } from '../api/evm-address-member.ts';

export const preparedTransactions = bodySchema(
  'PreparedTransactions',
  'Transactions to be signed by the wallet and sent in this order.',
  () =>
    z.object({
      transactions: z
        .array(
          z.object({
            chainId: z.int().min(1),
            from: evmAddress('The wallet.'),
            to: evmAddress('The contract or token.'),
            data: z.string().regex(/^0x(?:[0-9a-f]{2})*$/),
            value: amount('Of the native coin.'),
            gas: z
              .string()
              .meta({ description: 'The gas limit, with a reserve above the estimate.', pattern: '^[1-9]\\d*$' }),
            description: z.string().describe('What the transaction does, as a sentence.'),
          }),
        )
        .min(1)
        .describe('An approval first, where the contract may not take enough of the token yet.'),
    }),
  {
    transactions: [
      {
        chainId: 1,
        from: exampleAddress,
        to: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
        data: '0xa694fc3a0000000000000000000000000000000000000000000000000de0b6b3a7640000',
        value: '0',
        gas: '120000',
        description: 'Stake 1 STK in Staking pool',
      },
    ],
  },
);
