/** The request body of a replay: who relays the message again (contract/transfers#replays). */

import { optional } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { evmAddressInput, exampleAddress } from '../../api/evm-address-member.ts';

export const replayInput = bodySchema(
  'ReplayInput',
  'The sender of the transaction that relays the message again.',
  () =>
    z.object({
      wallet: optional(evmAddressInput('A wallet that the caller has linked.')).describe(
        'Default: a linked wallet that received or sent the transfer and can send there.',
      ),
    }),
  { wallet: exampleAddress },
);
