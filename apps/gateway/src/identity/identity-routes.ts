/** The routes of a user's identity and API keys: each parses, calls one function, and shapes the reply (contract/keys). */

import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { pageQuery } from '../api/page-query.ts';
import { emptyReply, okReply } from '../api/reply-of.ts';
import type { CallerRoute, RouteAnswer } from '../api/route.ts';
import { actorOf } from '../audit/audit-note.ts';
import { apiKeyPage, keyIdParameter, mintedApiKey } from './keys/api-key-wire.ts';
import { type ListKeysDeps, listKeys } from './keys/list-keys.ts';
import { type MintKeyDeps, mintKey } from './keys/mint-key.ts';
import { apiKeyInput } from './keys/mint-request.ts';
import { type RevokeKeyDeps, revokeKey } from './keys/revoke-key.ts';
import { type WhoAmIDeps, whoAmIRoute } from './who-am-i.ts';

export type IdentityDeps = MintKeyDeps & ListKeysDeps & RevokeKeyDeps & WhoAmIDeps;

const keysPath = '/users/me/api-keys';
export const userId = bodySchema(
  'UserId',
  "The caller's identity.",
  () => z.object({ id: z.string().min(1).describe("The token's `sub`.") }),
  { id: 'user-1' },
);
const noStore = { 'Cache-Control': 'no-store' };

export function identityRoutes(deps: IdentityDeps): readonly CallerRoute[] {
  return [
    whoAmIRoute(deps),
    {
      method: 'GET',
      path: '/users/me/id',
      accessLevel: 'caller',
      doc: {
        summary: 'Identify the caller',
        description: "The subject of the token, or the subject of the API key's owner.",
        tag: 'Users',
        responses: [{ status: 200, description: "The caller's id.", schema: userId }],
        refusals: [],
      },
      handle: ({ caller }) => {
        const body: BodyOf<typeof userId> = { id: caller.userId };
        return { status: 200, body };
      },
    },
    {
      method: 'POST',
      path: keysPath,
      accessLevel: 'token',
      doc: {
        summary: 'Mint an API key',
        description:
          'Only this response contains the key. A user has at most 10 active keys; expired and revoked keys do not count.',
        tag: 'API keys',
        body: apiKeyInput,
        responses: [{ status: 201, description: 'Minted.', schema: mintedApiKey, headers: ['Cache-Control'] }],
        refusals: ['bad-request', 'conflict'],
      },
      handle: async (request): Promise<RouteAnswer> => {
        const minted = await mintKey(deps, actorOf(request), request.body);
        if (!minted.ok) return minted;
        return {
          status: 201,
          body: minted.value,
          headers: { ...noStore, Location: `${keysPath}/${minted.value.keyId}` },
        };
      },
    },
    {
      method: 'GET',
      path: keysPath,
      accessLevel: 'token',
      doc: {
        summary: 'List API keys',
        description: 'Newest first, including revoked and expired keys; never with a secret.',
        tag: 'API keys',
        query: pageQuery(100),
        responses: [{ status: 200, description: 'A page of keys.', schema: apiKeyPage, headers: ['Cache-Control'] }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listKeys(deps, caller.userId, query), noStore),
    },
    {
      method: 'DELETE',
      path: `${keysPath}/{keyId}`,
      accessLevel: 'token',
      doc: {
        summary: 'Revoke an API key',
        description:
          'After the response, this gateway refuses the key; all gateways refuse it within 60 seconds. Idempotent: revoking an already revoked key returns 204. While the database cannot write, the response is 503 and the key is refused nevertheless: repeat the request until it returns 204.',
        tag: 'API keys',
        path: { keyId: keyIdParameter },
        responses: [{ status: 204, description: 'Revoked.' }],
        refusals: ['not-found', 'unavailable'],
      },
      handle: async (request) => emptyReply(await revokeKey(deps, actorOf(request), request.params['keyId'] ?? '')),
    },
  ];
}
