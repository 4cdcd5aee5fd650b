/** Who is calling, by which credential, and which limits are in force for them (contract/tokens#who-am-i). */

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
  'Who is calling, and which limits are in force for them.',
  () =>
    z.object({
      userId: z.string().min(1).describe("The token's `sub`; for an API key that of its owner."),
      credential: z.enum(['token', 'api-key']).describe('What was sent with this request.'),
      keyId: z.string().regex(keyIdForm).describe('Of the API key; absent for a token.').exactOptional(),
      roles: z.array(z.string()).describe("The token's roles; none for an API key."),
      isAdmin: z.boolean().describe('Whether routes for administrators are open to this credential.'),
      requestsPerMinute: limit('Requests in any 60 seconds over all keys and tokens of the user.'),
      sessionRequestsPerMinute: limit('Requests in any 60 seconds to one Flow session.'),
      maxActiveKeys: limit('Active API keys that the user may have.'),
      maxNodes: limit('Registered nodes that the user may have.'),
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
      summary: 'Who am I, and what may I?',
      description:
        'The user behind the credential, whether it opens routes for administrators, and the limits in force for the user: own ones where an administrator set them.',
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
