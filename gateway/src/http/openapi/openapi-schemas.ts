/** JSON Schemas of everything that crosses the wire, by the names that the routes' descriptions use; each example satisfies client/src/wire.ts or flow-wire.ts. */

import type { LedgerRecord, NetworkRecord, ProviderRecord } from '@flowgate/client/wire';
import type { Schema } from '../../api/json-schema.ts';
import { flowSchemas } from './openapi-flow-schemas.ts';
import { errorSchemas, operationSchemas, rpcSchemas } from './openapi-message-schemas.ts';
import { list, page, record, text } from './schema-parts.ts';

/** The limits that a caller can run into, as configured. */
export type DocumentedLimits = {
  readonly userPerMinute: number;
  readonly sessionPerMinute: number;
  readonly invalidPerMinute: number;
  readonly maxBatch: number;
  readonly maxBodyBytes: number;
};

export const identifier: Schema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' };
const network: NetworkRecord = {
  dlt: 'ethereum',
  networkId: 'dev',
  name: 'Local development chain',
  chainId: 31337,
  default: true,
};
const ledger: LedgerRecord = { dlt: 'ethereum', networks: ['dev'] };
const provider: ProviderRecord = { providerId: 'alchemy', name: 'Alchemy', domains: ['alchemy.com'] };

const ledgerSchemas = {
  LedgerRecord: record<LedgerRecord>(
    'A ledger that has at least one network here.',
    { dlt: identifier, networks: list('Its `networkId`s.', identifier) },
    ['dlt', 'networks'],
    ledger,
  ),
  LedgerPage: page('Ledgers.', 'LedgerRecord', ledger),
  NetworkRecord: record<NetworkRecord>(
    'A network that calls can be sent to.',
    {
      dlt: identifier,
      networkId: identifier,
      name: text('For people.'),
      chainId: { type: 'integer', description: 'The EIP-155 chain id.', minimum: 1 },
      default: { type: 'boolean', description: 'Whether un-scoped `/rpc` reaches it.' },
    },
    ['dlt', 'networkId', 'name', 'chainId', 'default'],
    network,
  ),
  NetworkPage: page('Networks.', 'NetworkRecord', network),
  ProviderRecord: record<ProviderRecord>(
    'An approved node provider.',
    {
      providerId: identifier,
      name: text('For people.'),
      domains: list('Public nodes live at or below these.', { type: 'string' }, { minItems: 1 }),
    },
    ['providerId', 'name', 'domains'],
    provider,
  ),
  ProviderPage: page('Providers.', 'ProviderRecord', provider),
};

export function wireSchemas(limits: Pick<DocumentedLimits, 'maxBatch'>): Readonly<Record<string, Schema>> {
  return {
    ...ledgerSchemas,
    ...flowSchemas,
    ...rpcSchemas(limits.maxBatch),
    ...operationSchemas,
    ...errorSchemas,
  };
}
