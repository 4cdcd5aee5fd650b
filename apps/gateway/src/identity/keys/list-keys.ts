/** Lists a user's API keys, newest first, with last-use times that are exact on this node. */

import { pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { isKeyId } from '../../api/credential.ts';
import type { ApiKeyRecord, ApiKeyStore } from './api-key-store.ts';
import { type apiKeyPage, apiKeyView } from './api-key-wire.ts';
import { type LastUsed, latest } from './last-used.ts';

export type ListKeysDeps = { readonly store: Pick<ApiKeyStore, 'list'>; readonly lastUsed: Pick<LastUsed, 'reader'> };

/** `?limit=` 1 to 100, default 100; `?cursor=` from the previous page (contract/conventions#lists). Throws `Unavailable` when the store is unavailable. */
export async function listKeys(
  deps: ListKeysDeps,
  ownerId: string,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof apiKeyPage>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 100, isId: isKeyId });
  if (!page.ok) return page;
  const usedAtMs = deps.lastUsed.reader();
  const { records, next } = await deps.store.list(ownerId, page.value);
  const data = records.map((record) => apiKeyView(withUse(record, usedAtMs(record.keyId))));
  return ok(pageOf(data, next));
}

function withUse(record: ApiKeyRecord, usedAtMs: number | undefined): ApiKeyRecord {
  const lastUsedAtMs = latest(record.lastUsedAtMs, usedAtMs);
  return lastUsedAtMs === undefined ? record : { ...record, lastUsedAtMs };
}
