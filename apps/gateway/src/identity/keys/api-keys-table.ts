/** The table of API keys. */

import { optional, table, text, textList, timeMs } from '@flowgate/sql/engine/table';

export const apiKeysTable = table('api_keys', 'keyId', {
  keyId: text('key_id'),
  ownerId: text('owner_id'),
  label: text('label'),
  scopes: textList('scopes'),
  digest: text('digest'),
  pepperVersion: text('pepper_version'),
  createdAtMs: timeMs('created_at'),
  expiresAtMs: optional(timeMs('expires_at')),
  lastUsedAtMs: optional(timeMs('last_used_at')),
  revokedAtMs: optional(timeMs('revoked_at')),
});
