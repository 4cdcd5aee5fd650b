/** The route with which administrators read the audit log (contract/audit#entries). */

import { okReply } from '../api/reply-of.ts';
import type { CallerRoute } from '../api/route.ts';
import { auditPage } from './audit-wire.ts';
import { auditQuery, type ListAuditDeps, listAudit } from './list-audit.ts';

export function auditRoutes(deps: ListAuditDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/audit',
      accessLevel: 'admin',
      doc: {
        summary: 'Read the audit log',
        description:
          'Management actions of all users, newest first. Entries match all given filters. A page may have fewer entries than requested, even none, before the end of the list: follow `nextCursor`.',
        tag: 'Administration',
        query: auditQuery,
        responses: [{ status: 200, description: 'A page of entries.', schema: auditPage, headers: ['Cache-Control'] }],
        refusals: ['bad-request'],
      },
      handle: async ({ query }) => okReply(await listAudit(deps, query), { 'Cache-Control': 'no-store' }),
    },
  ];
}
