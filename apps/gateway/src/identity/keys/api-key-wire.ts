/** API keys in requests and responses (contract/keys#mint). Only the response of a mint contains the secret. */

import { isoTime } from '@flowgate/base/iso-time';
import { plainText, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { keyIdForm } from '../../api/credential.ts';
import { exampleKey, exampleKeyId, rawApiKey } from '../../api/raw-api-key.ts';
import type { ApiKeyRecord } from './api-key-store.ts';

export const exampleKeyLabel = 'indexer, production';
const exampleRecord = {
  keyId: exampleKeyId,
  label: exampleKeyLabel,
  scopes: ['rpc'],
  createdAt: '2026-11-21T10:00:00.000Z',
};

export const keyLabel = () =>
  plainText(100, { abort: true }).describe('Unicode code points, no control or format characters.');

const keyId = () =>
  z
    .string()
    .regex(keyIdForm)
    .meta({ description: 'Identifier of the key; not secret.', examples: [exampleKeyId] });

/** The keyId as a path parameter. */
export const keyIdParameter = { description: 'Identifier of the key.', schema: keyId, example: exampleKeyId };

const keyMembers = () => ({
  keyId: keyId(),
  label: keyLabel(),
  scopes: z.array(z.string()).describe('What the key may be used for: `rpc`. More scopes may be added.'),
  createdAt: time('When the key was minted.'),
  expiresAt: time('When the key expires; absent on keys that never expire.').exactOptional(),
});

export const mintedApiKey = bodySchema(
  'MintedApiKey',
  'A new key; the only response that contains the key itself.',
  () => z.object({ apiKey: rawApiKey(), ...keyMembers() }),
  { apiKey: exampleKey, ...exampleRecord },
);

export const apiKeyRecord = bodySchema(
  'ApiKeyRecord',
  'A key in a list, without its secret.',
  () =>
    z.object({
      ...keyMembers(),
      lastUsedAt: time('When the key was last used; absent before its first use.').exactOptional(),
      revokedAt: time('When the key was revoked; present on revoked keys only.').exactOptional(),
    }),
  exampleRecord,
);

export const apiKeyPage = pageSchema('ApiKeyPage', 'Keys, newest first.', apiKeyRecord);

/** An entry of the list; absent times are omitted. */
export function apiKeyView(record: ApiKeyRecord): BodyOf<typeof apiKeyRecord> {
  return {
    keyId: record.keyId,
    label: record.label,
    scopes: [...record.scopes],
    createdAt: isoTime(record.createdAtMs),
    ...(record.expiresAtMs === undefined ? {} : { expiresAt: isoTime(record.expiresAtMs) }),
    ...(record.lastUsedAtMs === undefined ? {} : { lastUsedAt: isoTime(record.lastUsedAtMs) }),
    ...(record.revokedAtMs === undefined ? {} : { revokedAt: isoTime(record.revokedAtMs) }),
  };
}

export function mintedApiKeyView(raw: string, record: ApiKeyRecord): BodyOf<typeof mintedApiKey> {
  return { apiKey: raw, ...apiKeyView(record) };
}
