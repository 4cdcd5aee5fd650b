/** The routes of usage: parse, call one use, shape the reply (contract/usage). */

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
        summary: 'See what was used',
        description:
          "The caller's own requests over all keys and tokens, the oldest first: by default those of the last hour by minute. What was asked in the last ten seconds may be missing. More than 1,000 rows are 400, which names the bucket that fits.",
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
        summary: 'See the usage of all users',
        description: 'As `GET /users/me/usage`, of all users or of one, and by user.',
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
