/** The route with which administrators find users (contract/administration#users). */

import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { type ListUsersDeps, listUsers, userPage, userQuery } from './list-users.ts';

export function userRoutes(deps: ListUsersDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/users',
      accessLevel: 'admin',
      doc: {
        summary: 'Find users',
        description:
          'Users with API keys or usage, ordered by id. A page may have fewer entries than requested, even none, before the end of the list: follow `nextCursor`.',
        tag: 'Administration',
        query: userQuery,
        responses: [{ status: 200, description: 'A page of users.', schema: userPage, headers: ['Cache-Control'] }],
        refusals: ['bad-request'],
      },
      handle: async ({ query }) => okReply(await listUsers(deps, query), { 'Cache-Control': 'no-store' }),
    },
  ];
}
