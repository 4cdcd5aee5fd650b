/** The caller, the credential, and the caller's limits (contract/tokens#who-am-i). */

import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import type { Caller } from '../api/caller.ts';
import { keyIdForm } from '../api/credential.ts';
import { exampleKeyId } from '../api/raw-api-key.ts';
import type { CallerRoute } from '../api/route.ts';
import type { LimitOverrides } from '../limits/user-limits.ts';
import { maxActiveKeys } from './keys/mint-key.ts';

export type WhoAmIDeps = {
  readonly overrides: LimitOverrides;
  /** The configured limits. */
  readonly limits: {
    readonly userPerMinute: number;
    readonly sessionPerMinute: number;
    readonly nodesPerUser: number;
  };
};

const limit = (description: string) => z.int().min(1).describe(description);

export const whoAmI = bodySchema(
  'WhoAmI',
  'The caller and the limits that apply.',
  () =>
    z.object({
      userId: z.string().min(1).describe("The `sub` of the token, or of the API key's owner."),
      credential: z.enum(['token', 'api-key']).describe('The kind of credential of this request.'),
      keyId: z.string().regex(keyIdForm).describe('The id of the API key; absent for a token.').exactOptional(),
      roles: z.array(z.string()).describe("The token's roles; empty for an API key."),
      isAdmin: z.boolean().describe('Whether this credential may use routes for administrators.'),
      requestsPerMinute: limit('Maximum of requests in any 60 seconds, over all keys and tokens of the user.'),
      sessionRequestsPerMinute: limit('Maximum of requests in any 60 seconds to one Flow session.'),
      maxActiveKeys: limit('Maximum number of active API keys of the user.'),
      maxNodes: limit('Maximum number of registered nodes of the user.'),
    }),
  {
    userId: 'user-1',
    credential: 'token',
    roles: ['admin'],
    isAdmin: true,
    requestsPerMinute: 300,
    sessionRequestsPerMinute: 60,
    maxActiveKeys: 10,
    maxNodes: 20,
  },
  {
    userId: 'user-1',
    credential: 'api-key',
    keyId: exampleKeyId,
    roles: [],
    isAdmin: false,
    requestsPerMinute: 300,
    sessionRequestsPerMinute: 60,
    maxActiveKeys: 10,
    maxNodes: 20,
  },
);

export function whoAmIRoute(deps: WhoAmIDeps): CallerRoute {
  return {
    method: 'GET',
    path: '/users/me',
    accessLevel: 'caller',
    doc: {
      summary: 'Show the caller and its limits',
      description:
        'The user of the credential, whether the credential may use routes for administrators, and the limits of the user, including those that an administrator set.',
      tag: 'Users',
      responses: [{ status: 200, description: 'The caller.', schema: whoAmI, headers: ['Cache-Control'] }],
      refusals: [],
    },
    handle: ({ caller }) => ({ status: 200, body: viewOf(caller, deps), headers: { 'Cache-Control': 'no-store' } }),
  };
}

function viewOf(caller: Caller, { overrides, limits }: WhoAmIDeps): BodyOf<typeof whoAmI> {
  const own = overrides.of(caller.userId);
  return {
    userId: caller.userId,
    credential: caller.via,
    ...(caller.keyId === undefined ? {} : { keyId: caller.keyId }),
    roles: [...caller.roles],
    isAdmin: caller.via === 'token' && caller.roles.includes('admin'),
    requestsPerMinute: own?.userPerMinute ?? limits.userPerMinute,
    sessionRequestsPerMinute: own?.sessionPerMinute ?? limits.sessionPerMinute,
    maxActiveKeys: own?.maxActiveKeys ?? maxActiveKeys,
    maxNodes: own?.nodes ?? limits.nodesPerUser,
  };
}
