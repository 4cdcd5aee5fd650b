/** Ledgers, networks and providers in responses (contract/networks). */

import { identifier } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { familyNames } from '@flowgate/chain/families/family-names';
import { z } from 'zod';
import type { Network } from '../../upstream/networks/network.ts';
import { networkStatus } from '../../upstream/routing/network-status.ts';

export const ledgerRecord = bodySchema(
  'LedgerRecord',
  'A ledger with at least one network on this gateway.',
  () => z.object({ dlt: identifier(), networks: z.array(identifier()).describe('Its `networkId`s.') }),
  { dlt: 'ethereum', networks: ['dev'] },
);

export const networkRecord = bodySchema(
  'NetworkRecord',
  'A network to which calls can be sent.',
  () =>
    z.object({
      dlt: identifier(),
      networkId: identifier(),
      name: z.string().describe('A name for display.'),
      family: z
        .enum(familyNames)
        .describe('The family of the network, which determines its methods and how its chain is identified.'),
      chainId: z.int().min(1).describe('The EIP-155 chain id, of an `evm` network.').exactOptional(),
      default: z.boolean().describe('Whether `/rpc` without a network leads to it.'),
      status: z
        .enum(['up', 'degraded', 'down', 'unknown'])
        .describe(
          "The result of this gateway's health checks of its nodes: all healthy, some, or none; `unknown` before the first check.",
        ),
      blockHeight: z.int().min(0).describe('The highest head that a healthy node reported.').exactOptional(),
      nodes: z
        .object({ healthy: z.int().min(0), total: z.int().min(0) })
        .describe('The number of operator nodes and shared nodes.'),
    }),
  {
    dlt: 'ethereum',
    networkId: 'dev',
    name: 'Local development chain',
    family: 'evm',
    chainId: 31337,
    default: true,
    status: 'up',
    blockHeight: 68943,
    nodes: { healthy: 1, total: 1 },
  },
);

export const providerRecord = bodySchema(
  'ProviderRecord',
  'An approved node provider.',
  () =>
    z.object({
      providerId: identifier(),
      name: z.string().describe('A name for display.'),
      domains: z
        .array(z.string())
        .min(1)
        .describe('Public nodes have these hosts, or subdomains of those that are names. In lower case.'),
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
  const { dlt, networkId, name, chain, chainId, isDefault } = network;
  return {
    ...{ dlt, networkId, name, family: chain.family.name },
    ...(chainId !== undefined && { chainId }),
    default: isDefault,
    ...networkStatus(network.everyNode().map((node) => node.status())),
  };
}
