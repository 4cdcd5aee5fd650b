/** Ledgers, networks and providers as callers see them (contract/networks). */

import { z } from 'zod';
import { identifier } from '../api/body-members.ts';
import { type BodyOf, bodySchema, pageSchema } from '../api/body-schema.ts';
import type { Network } from './network.ts';

export const ledgerRecord = bodySchema(
  'LedgerRecord',
  'A ledger that has at least one network here.',
  () => z.object({ dlt: identifier(), networks: z.array(identifier()).describe('Its `networkId`s.') }),
  { dlt: 'ethereum', networks: ['dev'] },
);

export const networkRecord = bodySchema(
  'NetworkRecord',
  'A network that calls can be sent to.',
  () =>
    z.object({
      dlt: identifier(),
      networkId: identifier(),
      name: z.string().describe('For people.'),
      chainId: z.int().min(1).describe('The EIP-155 chain id.').exactOptional(),
      default: z.boolean().describe('Whether un-scoped `/rpc` reaches it.'),
    }),
  { dlt: 'ethereum', networkId: 'dev', name: 'Local development chain', chainId: 31337, default: true },
);

export const providerRecord = bodySchema(
  'ProviderRecord',
  'An approved node provider.',
  () =>
    z.object({
      providerId: identifier(),
      name: z.string().describe('For people.'),
      domains: z.array(z.string()).min(1).describe('Public nodes live at or below these.'),
    }),
  { providerId: 'alchemy', name: 'Alchemy', domains: ['alchemy.com'] },
);

export const ledgerPage = pageSchema('LedgerPage', 'Ledgers.', ledgerRecord);
export const networkPage = pageSchema('NetworkPage', 'Networks.', networkRecord);
export const providerPage = pageSchema('ProviderPage', 'Providers.', providerRecord);

export function ledgerView(dlt: string, networks: readonly Network[]): BodyOf<typeof ledgerRecord> {
  return { dlt, networks: networks.map(({ networkId }) => networkId) };
}

export function networkView(network: Network): BodyOf<typeof networkRecord> {
  const { dlt, networkId, name, chainId, isDefault } = network;
  return { dlt, networkId, name, ...(chainId !== undefined && { chainId }), default: isDefault };
}
