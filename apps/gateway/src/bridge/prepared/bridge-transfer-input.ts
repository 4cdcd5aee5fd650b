/** The request body of a transfer through a bridge (contract/transfers#deposits-and-withdrawals). */

import { identifier, mustBe, optional } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { isEvmAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { amountInput } from '../../api/amount-member.ts';
import { evmAddressInput, exampleAddress } from '../../api/evm-address-member.ts';

const tokenForm = '^(native|0x[0-9a-fA-F]{40})$';

export const bridgeTransferInput = bodySchema(
  'BridgeTransferInput',
  'The transfer of a wallet to the other side of a bridge.',
  () =>
    z.object({
      bridgeId: identifier().describe('The bridge, as in the configuration.'),
      wallet: evmAddressInput('A wallet that the caller has linked. It signs, and pays the amount.'),
      token: z
        .string(mustBe('a string'))
        .refine((text) => text === 'native' || isEvmAddress(text), {
          error:
            'must be native, or an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55',
        })
        .meta({
          description:
            '`native` for ether, or the address of the token on the sending side. The address on the other side names the pair, too.',
          pattern: tokenForm,
          examples: ['native'],
        }),
      amount: amountInput().describe('In base units; above zero.'),
      to: optional(evmAddressInput('The receiver on the other side.')).describe(
        'The receiver on the other side. Default: the wallet. Required for a contract wallet, whose address may belong to another account there.',
      ),
    }),
  { bridgeId: 'main', wallet: exampleAddress, token: 'native', amount: '1000000000000000' },
);
