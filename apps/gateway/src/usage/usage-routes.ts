/** The routes of usage: each parses, calls one function, and shapes the reply (contract/usage). */

import { okReply } from '../api/reply-of.ts';
import type { CallerRoute } from '../api/route.ts';
import { type ReadUsageDeps, readUsage } from './read-usage.ts';
import { adminUsageQuery, usageQuery } from './usage-query.ts';
import { usageReport } from './usage-wire.ts';

const noStore = { 'Cache-Control': 'no-store' };

export function usageRoutes(deps: ReadUsageDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/users/me/usage',
      accessLevel: 'caller',
      doc: {
        summary: 'Read your usage',
        description:
          "The caller's requests over all keys and tokens, oldest first; by default those of the last hour by minute. Requests of the last ten seconds may be missing. More than 1,000 rows are a 400 that names a bucket length that fits.",
        tag: 'Usage',
        query: usageQuery,
        responses: [{ status: 200, description: 'The rows.', schema: usageReport, headers: ['Cache-Control'] }],
        refusals: ['bad-request', 'unavailable'],
      },
      handle: async ({ caller: { userId }, query }) =>
        okReply(await readUsage(deps, query, { userId, asksAboutAll: false }), noStore),
    },
    {
      method: 'GET',
      path: '/admin/usage',
      accessLevel: 'admin',
      doc: {
        summary: 'Read the usage of all users',
        description: 'Like `GET /users/me/usage`, for all users or one, and grouped by user on request.',
        tag: 'Administration',
        query: adminUsageQuery,
        responses: [{ status: 200, description: 'The rows.', schema: usageReport, headers: ['Cache-Control'] }],
        refusals: ['bad-request', 'unavailable'],
      },
      handle: async ({ caller: { userId }, query }) =>
        okReply(await readUsage(deps, query, { userId, asksAboutAll: true }), noStore),
    },
  ];
}
