/** Lists the versions of an app, newest first, retired ones too (contract/flow-apps#registry). */

import type { Version } from '@flowgate/client/flow-wire';
import { encodeCursor, parsePage } from '../../platform/page.ts';
import { ok, type Result } from '../../platform/result.ts';
import { visibleApp } from './app-access.ts';
import type { RegistryStore } from './registry-store.ts';
import { isSemanticVersion } from './semantic-version.ts';
import { versionView } from './version.ts';

type Page = { data: Version[]; nextCursor?: string };

/** `?limit=` 1 to 100, default 20; `?cursor=` from the page before. Throws `Unavailable` when the store is away. */
export async function listVersions(
  store: Pick<RegistryStore, 'findApp' | 'listVersions'>,
  callerId: string,
  appId: string,
  query: URLSearchParams,
): Promise<Result<Page, 'bad-request' | 'not-found'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: isSemanticVersion });
  if (!page.ok) return page;
  const app = await visibleApp(store, callerId, appId);
  if (!app.ok) return app;
  const { records, next } = await store.listVersions(appId, page.value);
  const data = records.map((record) => versionView(record));
  return ok(next === undefined ? { data } : { data, nextCursor: encodeCursor(next) });
}
