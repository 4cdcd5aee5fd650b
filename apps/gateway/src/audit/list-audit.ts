/** Lists entries of the audit log, newest first, by actor, action, target and time (contract/audit#entries). */

import { isTypeId } from '@flowgate/base/ids';
import { parseIsoTime } from '@flowgate/base/iso-time';
import { pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result } from '@flowgate/base/result';
import { type BodyProblem, refusedFor } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { pageQuery } from '../api/page-query.ts';
import type { RouteQueryDoc } from '../api/route.ts';
import type { AuditFilter, AuditLogStore } from './audit-log-store.ts';
import { auditActions } from './audit-note.ts';
import { auditEntryView, type auditPage } from './audit-wire.ts';

export type ListAuditDeps = { readonly log: AuditLogStore };

/** A longer value is neither an id of this gateway nor the `sub` of a token. */
const maxIdLength = 1_024;
const timeForm = 'an ISO 8601 timestamp with a zone, such as 2030-01-31T12:00:00Z';

export const auditQuery: readonly RouteQueryDoc[] = [
  ...pageQuery(20),
  { name: 'actor', description: 'Only actions of this user.', schema: () => z.string().min(1).max(maxIdLength) },
  { name: 'action', description: 'Only this action.', schema: () => z.enum(auditActions) },
  { name: 'target', description: 'Only entries about this id.', schema: () => z.string().min(1).max(maxIdLength) },
  { name: 'after', description: `At or after this time: ${timeForm}.`, schema: () => z.iso.datetime({ offset: true }) },
  { name: 'before', description: `Before this time: ${timeForm}.`, schema: () => z.iso.datetime({ offset: true }) },
];

/** Throws `Unavailable` when the store is unavailable. */
export async function listAudit(
  { log }: ListAuditDeps,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof auditPage>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('aud', id) });
  const problems: BodyProblem[] = [];
  const only = (name: string): string | undefined => {
    const [value, ...others] = query.getAll(name);
    if (others.length > 0) problems.push({ message: `${name} must be given once` });
    return value;
  };
  const id = (name: string) => {
    const value = only(name);
    if (value === '' || (value?.length ?? 0) > maxIdLength)
      problems.push({ message: `${name} must have 1 to ${maxIdLength} characters` });
    return value;
  };
  const timeOf = (name: string) => {
    const value = only(name);
    const atMs = value === undefined ? undefined : parseIsoTime(value);
    if (value !== undefined && atMs === undefined) problems.push({ message: `${name} must be ${timeForm}` });
    return atMs;
  };
  const named = only('action');
  const action = auditActions.find((each) => each === named);
  if (named !== undefined && action === undefined)
    problems.push({ message: `action must be one of ${auditActions.join(', ')}` });
  const filter = present({
    actor: id('actor'),
    target: id('target'),
    action,
    fromMs: timeOf('after'),
    beforeMs: timeOf('before'),
  });
  if (!page.ok) problems.push({ message: page.detail ?? '' });
  if (!page.ok || problems.length > 0) return refusedFor(problems);
  const { records, next } = await log.list(filter, page.value);
  return ok(pageOf(records.map(auditEntryView), next));
}

function present(filter: { readonly [K in keyof AuditFilter]-?: AuditFilter[K] | undefined }): AuditFilter {
  const { actor, target, action, fromMs, beforeMs } = filter;
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(target === undefined ? {} : { target }),
    ...(action === undefined ? {} : { action }),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(beforeMs === undefined ? {} : { beforeMs }),
  };
}
