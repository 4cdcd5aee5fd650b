/** The routes by which administrators set the limits of single users (contract/administration#limits-of-a-user). */

import { ok } from '@flowgate/base/result';
import { emptyReply, okReply } from '../api/reply-of.ts';
import type { CallerRoute } from '../api/route.ts';
import { userIdParameter as userId } from '../api/user-path.ts';
import { actorOf } from '../audit/audit-note.ts';
import { removeUserLimits, type SetUserLimitsDeps, setUserLimits } from './set-user-limits.ts';
import type { UserLimits } from './user-limits.ts';
import type { UserLimitsStore } from './user-limits-store.ts';
import { userLimitsBody, userLimitsInput, userLimitsReport } from './user-limits-wire.ts';

export type UserLimitsRouteDeps = SetUserLimitsDeps & {
  readonly limitsStore: Pick<UserLimitsStore, 'find'>;
  /** The limits of users without limits of their own. */
  readonly configuredLimits: Required<UserLimits>;
};

const tag = 'Administration';
const noStore = { 'Cache-Control': 'no-store' };
const limitsPath = '/admin/users/{userId}/limits';

export function userLimitsRoutes(deps: UserLimitsRouteDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: limitsPath,
      accessLevel: 'admin',
      doc: {
        summary: "Read a user's own limits",
        description: 'Those that differ from the configuration, and what is configured.',
        tag,
        path: { userId },
        responses: [{ status: 200, description: 'The limits.', schema: userLimitsReport, headers: ['Cache-Control'] }],
        refusals: [],
      },
      handle: async ({ params }) =>
        okReply(
          ok({ ...(await deps.limitsStore.find(params['userId'] ?? '')), configured: deps.configuredLimits }),
          noStore,
        ),
    },
    {
      method: 'PUT',
      path: limitsPath,
      accessLevel: 'admin',
      doc: {
        summary: "Set a user's own limits",
        description:
          'In place of those that were set before; what is left out is as configured. In force here from this answer on, on other gateways at once or within 5 seconds. At most 10,000 users have limits of their own.',
        tag,
        path: { userId },
        body: userLimitsInput,
        responses: [{ status: 200, description: 'The limits.', schema: userLimitsBody, headers: ['Cache-Control'] }],
        refusals: ['bad-request', 'conflict'],
      },
      handle: async (request) =>
        okReply(await setUserLimits(deps, actorOf(request), request.params['userId'] ?? '', request.body), noStore),
    },
    {
      method: 'DELETE',
      path: limitsPath,
      accessLevel: 'admin',
      doc: {
        summary: "Remove a user's own limits",
        description: 'The configured limits apply again. Idempotent.',
        tag,
        path: { userId },
        responses: [{ status: 204, description: 'Removed, or there were none.' }],
        refusals: [],
      },
      async handle(request) {
        await removeUserLimits(deps, actorOf(request), request.params['userId'] ?? '');
        return emptyReply(ok(undefined));
      },
    },
  ];
}
