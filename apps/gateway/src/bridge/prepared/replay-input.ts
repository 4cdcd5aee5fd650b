/** Who relays a message again, as callers say it (contract/transfers#replays). */

import { optional } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { evmAddressInput, exampleAddress } from '../../api/evm-address-member.ts';

export const replayInput = bodySchema(
  'ReplayInput',
  'Who sends the transaction that relays the message again.',
  () =>
    z.object({
      wallet: optional(evmAddressInput('One that the caller has linked.')).describe(
        'By default a linked wallet that receives or sent the transfer, and can send there.',
      ),
    }),
  { wallet: exampleAddress },
);
