/** Lists a user's sessions, newest first. Sessions whose time is over are expired first. */

import { isTypeId } from '@flowgate/base/ids';
import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import { isAppId } from '@flowgate/flow-format/manifest/app-id';
import { sessionStatuses } from '@flowgate/flow-format/manifest/registry-members';
import type { Caller } from '../../api/caller.ts';
import { type AppParts, appRefusal } from '../registry/app-access.ts';
import { type ExpireParts, expireSession, isDue } from './expire-sessions.ts';
import type { SessionFilter } from './session-store.ts';
import { type Session, sessionView } from './session-wire.ts';

/** `?appId=`, `?status=`, `?limit=`, `?cursor=` (contract/conventions#lists). Throws `Unavailable`. */
export async function listSessions(
  parts: ExpireParts & AppParts,
  caller: Caller,
  query: URLSearchParams,
): Promise<Result<Page<Session>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('ses', id) });
  const filter = parseFilter(query);
  if (!page.ok || !filter.ok)
    return refused('bad-request', [page, filter].flatMap((each) => (each.ok ? [] : (each.detail ?? []))).join('; '));
  const list = () => parts.store.list(caller.userId, filter.value, page.value);
  let listed = await list();
  const due = listed.records.filter((session) => isDue(session, parts.clock.now()));
  const expired = await Promise.all(due.map(({ sessionId }) => expireSession(parts, sessionId)));
  if (expired.includes(true)) listed = await list();
  const unusable = await refusedApps(parts, caller, listed.records);
  const data = listed.records.filter(({ appId }) => !unusable.has(appId)).map(sessionView);
  return ok(pageOf(data, listed.next));
}

/** Sessions of apps that the caller may not use are left out; a page is then shorter. */
async function refusedApps(
  parts: AppParts,
  caller: Caller,
  records: readonly { readonly appId: string }[],
): Promise<ReadonlySet<string>> {
  const refusedOnes = new Set<string>();
  for (const appId of new Set(records.map((each) => each.appId)))
    if ((await appRefusal(parts, caller, appId)) !== undefined) refusedOnes.add(appId);
  return refusedOnes;
}

function parseFilter(query: URLSearchParams): Result<SessionFilter, 'bad-request'> {
  const [appIds, wanted] = [query.getAll('appId'), query.getAll('status')];
  const [[appId], [statusText]] = [appIds, wanted];
  const status = sessionStatuses.find((each) => each === statusText);
  const problems: string[] = [];
  if (appIds.length > 1) problems.push('appId must be given once');
  else if (appId !== undefined && !isAppId(appId)) problems.push('appId must be publisher/slug');
  if (wanted.length > 1) problems.push('status must be given once');
  else if (statusText !== undefined && status === undefined)
    problems.push(`status must be one of ${sessionStatuses.join(', ')}`);
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  return ok({ ...(appId === undefined ? {} : { appId }), ...(status === undefined ? {} : { status }) });
}
