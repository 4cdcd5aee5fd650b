/** What a wallet is to send through a bridge, as callers ask for it (contract/transfers#deposits-and-withdrawals). */

import { identifier, mustBe, optional } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { isEvmAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { amountInput } from '../../api/amount-member.ts';
import { evmAddressInput, exampleAddress } from '../../api/evm-address-member.ts';

const tokenForm = '^(native|0x[0-9a-fA-F]{40})$';

export const bridgeTransferInput = bodySchema(
  'BridgeTransferInput',
  'What a wallet is to send to the other side of a bridge.',
  () =>
    z.object({
      bridgeId: identifier().describe('The bridge, as in the configuration.'),
      wallet: evmAddressInput('One that the caller has linked: it signs, and sends what it has.'),
      token: z
        .string(mustBe('a string'))
        .refine((text) => text === 'native' || isEvmAddress(text), {
          error:
            'must be native, or an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55',
        })
        .meta({
          description:
            '`native`, for ether; or the token, by its address on the side that it is sent from. Its address on the other side names the pair, too.',
          pattern: tokenForm,
          examples: ['native'],
        }),
      amount: amountInput().describe('In base units; above zero.'),
      to: optional(evmAddressInput('Who gets it on the other side.')).describe(
        'Who gets it on the other side; by default the wallet. A contract wallet has to name it: its address may belong to another account there.',
      ),
    }),
  { bridgeId: 'main', wallet: exampleAddress, token: 'native', amount: '1000000000000000' },
);
