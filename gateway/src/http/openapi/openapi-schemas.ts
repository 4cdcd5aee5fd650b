/** JSON Schemas of everything that crosses the wire, by the names that the routes' descriptions use; each example satisfies client/src/wire.ts or flow-wire.ts. */

import type {
  ApiKeyInput,
  ApiKeyRecord,
  LedgerRecord,
  MintedApiKey,
  NetworkRecord,
  ProviderRecord,
  UserId,
} from '@flowgate/client/wire';
import type { Schema } from './openapi-document.ts';
import { flowSchemas } from './openapi-flow-schemas.ts';
import { errorSchemas, operationSchemas, rpcSchemas } from './openapi-message-schemas.ts';
import { list, page, record, text, time } from './schema-parts.ts';

/** The limits that a caller can run into, as configured. */
export type DocumentedLimits = {
  readonly userPerMinute: number;
  readonly sessionPerMinute: number;
  readonly invalidPerMinute: number;
  readonly maxBatch: number;
  readonly maxBodyBytes: number;
};

const exampleKeyId = '7Kq2mB0xWc9LpT4s';
const label = 'indexer, production';
const createdAt = '2026-11-21T10:00:00.000Z';

export const keyId: Schema = text('Identifier of the key; no secret.', {
  pattern: '^[0-9A-Za-z]{16}$',
  examples: [exampleKeyId],
});
export const apiKey: Schema = text(
  'The raw key. It is returned once, when it is minted, and cannot be retrieved afterwards.',
  {
    pattern: '^fk_[0-9A-Za-z]{16}\\.[0-9A-Za-z]{49}$',
    examples: [`fk_${exampleKeyId}.${'EXAMPLEexample'.repeat(4).slice(0, 49)}`],
  },
);
export const identifier: Schema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' };
const keyLabel = text('Unicode code points, no control characters.', {
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
});
const scopes = list('What the key may be used for; `rpc` is the only scope there is.', {
  type: 'string',
  enum: ['rpc'],
});
const keyFields = {
  keyId,
  label: keyLabel,
  scopes,
  createdAt: time('When it was minted.'),
  expiresAt: time('When it stops working; absent on keys that never expire.'),
};

const keyRecord: ApiKeyRecord = { keyId: exampleKeyId, label, scopes: ['rpc'], createdAt };
const network: NetworkRecord = {
  dlt: 'ethereum',
  networkId: 'dev',
  name: 'Local development chain',
  chainId: 31337,
  default: true,
};
const ledger: LedgerRecord = { dlt: 'ethereum', networks: ['dev'] };
const provider: ProviderRecord = { providerId: 'alchemy', name: 'Alchemy', domains: ['alchemy.com'] };

const accessSchemas = {
  UserId: record<UserId>("The caller's identity.", { id: text("The token's `sub`.", { minLength: 1 }) }, ['id'], {
    id: 'user-1',
  }),
  ApiKeyInput: record<ApiKeyInput>(
    'What to mint. Unknown members are ignored; `null` for an optional one means left out.',
    {
      label: keyLabel,
      scopes: list(
        'What the key may be used for. Left out: `["rpc"]`, the only scope there is. Duplicates are folded.',
        { type: 'string', enum: ['rpc'] },
        { type: ['array', 'null'], minItems: 1, maxItems: 10 },
      ),
      expiresAt: text('ISO 8601 with a zone, in the future. Left out, the key never expires.', {
        type: ['string', 'null'],
        format: 'date-time',
      }),
    },
    ['label'],
    { label },
  ),
  MintedApiKey: record<MintedApiKey>(
    'A fresh key; the only answer that ever holds the key itself.',
    { apiKey, ...keyFields },
    ['apiKey', 'keyId', 'label', 'scopes', 'createdAt'],
    { apiKey: String(apiKey.examples?.[0]), ...keyRecord },
  ),
  ApiKeyRecord: record<ApiKeyRecord>(
    'A key as it is listed: never its secret.',
    {
      ...keyFields,
      lastUsedAt: time('When it was last used; absent until first use.'),
      revokedAt: time('When it was revoked; present on revoked keys only.'),
    },
    ['keyId', 'label', 'scopes', 'createdAt'],
    keyRecord,
  ),
  ApiKeyPage: page('Keys, newest first.', 'ApiKeyRecord', keyRecord),
};

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
    ...accessSchemas,
    ...ledgerSchemas,
    ...flowSchemas,
    ...rpcSchemas(limits.maxBatch),
    ...operationSchemas,
    ...errorSchemas,
  };
}
