/** The routes with which administrators list and revoke a user's API keys (contract/administration#keys-of-other-users). */

import { pageQuery } from '../../api/page-query.ts';
import { emptyReply, okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { userIdParameter as userId } from '../../api/user-path.ts';
import { actorOf } from '../../audit/audit-note.ts';
import { apiKeyPage, keyIdParameter } from './api-key-wire.ts';
import { type ListKeysDeps, listKeys } from './list-keys.ts';
import { type RevokeKeyDeps, revokeKey } from './revoke-key.ts';

const tag = 'Administration';
const noStore = { 'Cache-Control': 'no-store' };
const keysPath = '/admin/users/{userId}/api-keys';

export function userKeyRoutes(deps: ListKeysDeps & RevokeKeyDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: keysPath,
      accessLevel: 'admin',
      doc: {
        summary: "List a user's API keys",
        description: 'Newest first, including revoked and expired keys; never with a secret.',
        tag,
        path: { userId },
        query: pageQuery(100),
        responses: [{ status: 200, description: 'A page of keys.', schema: apiKeyPage, headers: ['Cache-Control'] }],
        refusals: ['bad-request'],
      },
      handle: async ({ params, query }) => okReply(await listKeys(deps, params['userId'] ?? '', query), noStore),
    },
    {
      method: 'DELETE',
      path: `${keysPath}/{keyId}`,
      accessLevel: 'admin',
      doc: {
        summary: "Revoke a user's API key",
        description:
          'Like a revocation by the owner: after the response, this gateway refuses the key; all gateways refuse it within 60 seconds. Idempotent: revoking an already revoked key returns 204. While the database cannot write, the response is 503 and the key is refused nevertheless: repeat the request until it returns 204.',
        tag,
        path: { userId, keyId: keyIdParameter },
        responses: [{ status: 204, description: 'Revoked.' }],
        refusals: ['not-found', 'unavailable'],
      },
      async handle(request) {
        const { userId: ownerId = '', keyId = '' } = request.params;
        return emptyReply(await revokeKey(deps, actorOf(request), keyId, ownerId));
      },
    },
  ];
}
