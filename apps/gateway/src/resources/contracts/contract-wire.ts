/** The operator's contracts as callers see them (contract/contracts#named-contracts). */

import { identifier } from '@flowgate/body-schema/body-members';
import { bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

/** An identifier of the configuration, or a bridge's with the contract's part in it behind a colon. */
const contractIdForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?::[a-z0-9-]{1,32})?$/;

export const contractId = () => z.string().regex(contractIdForm);

export const contractRecord = bodySchema(
  'ContractRecord',
  'A contract that the operator of this gateway names to its callers.',
  () =>
    z.object({
      contractId: contractId(),
      dlt: identifier(),
      networkId: identifier(),
      role: z.string().describe('What it is for: `staking`, `bridge`, or what the operator calls it.'),
      name: z.string().describe('For people.').exactOptional(),
      address: z.string().describe("Its address on the network, in EIP-55's spelling."),
    }),
  {
    contractId: 'dev-staking',
    dlt: 'ethereum',
    networkId: 'dev',
    role: 'staking',
    name: 'Rewards on the local chain',
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  },
);

export const contractPage = pageSchema('ContractPage', 'Contracts.', contractRecord);
