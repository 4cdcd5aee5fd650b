/** The configured contracts in responses (contract/contracts#named-contracts). */

import { identifier } from '@flowgate/body-schema/body-members';
import { bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

/** An identifier of the configuration; for a bridge's contract, the bridge's identifier, a colon and the contract's role. */
const contractIdForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?::[a-z0-9-]{1,32})?$/;

export const contractId = () => z.string().regex(contractIdForm);

export const contractRecord = bodySchema(
  'ContractRecord',
  'A contract of the configuration of this gateway.',
  () =>
    z.object({
      contractId: contractId(),
      dlt: identifier(),
      networkId: identifier(),
      role: z.string().describe('Its purpose: `staking`, `bridge`, or a text of the operator.'),
      name: z.string().describe('A name for display.').exactOptional(),
      address: z.string().describe('Its address on the network, with the checksum of EIP-55.'),
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
