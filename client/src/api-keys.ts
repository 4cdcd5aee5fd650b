/** A user's own API keys: mint, list, revoke (contract/keys). */

import { askFor } from './ask-for.ts';
import { hasMembers } from './has-members.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions, Send } from './transport.ts';
import type { ApiKeyInput, ApiKeyRecord, MintedApiKey } from './wire.ts';

const keysPath = '/users/me/api-keys';

/** Needs a token; API keys are refused with 403. Entries are newest first, revoked and expired ones among them. */
export type ApiKeys = Paged<ApiKeyRecord> & {
  /**
   * Only this answer ever contains the key: keep it at once. 409 at ten active keys, 400 with the member's name for an invalid input. Never repeated: after a
   * failure of kind `no-answer`, look at the list, because the key may exist.
   */
  mint(input: ApiKeyInput, options?: CallOptions): Promise<MintedApiKey>;
  /** When it resolves, the key fails on the gateway that answered, and everywhere within 60 seconds. Repeating is no error; an unknown key is 404. */
  revoke(keyId: string, options?: CallOptions): Promise<void>;
};

export function createApiKeys(send: Send): ApiKeys {
  return {
    ...createPaged(send, keysPath, isApiKeyRecord),
    mint: async (input, options = {}) =>
      askFor(send, isMintedApiKey, { method: 'POST', path: keysPath, body: input, repeatable: false, options }),
    async revoke(keyId, options = {}) {
      await send({ method: 'DELETE', path: `${keysPath}/${pathSegment(keyId)}`, repeatable: true, options });
    },
  };
}

const keyMembers = { keyId: 'string', label: 'string', scopes: 'texts', createdAt: 'string' } as const;

function isMintedApiKey(value: unknown): value is MintedApiKey {
  return hasMembers(value, { ...keyMembers, apiKey: 'string' }, { expiresAt: 'string' });
}

export function isApiKeyRecord(value: unknown): value is ApiKeyRecord {
  return hasMembers(value, keyMembers, { expiresAt: 'string', lastUsedAt: 'string', revokedAt: 'string' });
}
