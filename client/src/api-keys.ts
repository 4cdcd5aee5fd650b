/** A user's own API keys: mint, list, revoke (contract/keys). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { ApiKeyInput, ApiKeyRecord, MintedApiKey } from './wire.ts';

/** Needs a token; API keys are refused with 403. Entries are newest first and include revoked and expired keys. */
export type ApiKeys = Paged<ApiKeyRecord> & {
  /**
   * Creates a key. Only this answer ever contains the key itself: store it at once. 409 at ten active keys, 400 with the member's name for an invalid input.
   * Never retried: after a failure of kind `no-answer`, check the list, because the key may exist.
   */
  mint(input: ApiKeyInput, options?: CallOptions): Promise<MintedApiKey>;
  /** When it resolves, the answering gateway refuses the key; all others do within 60 seconds. Repeated calls succeed; an unknown key is 404. */
  revoke(keyId: string, options?: CallOptions): Promise<void>;
};

export function createApiKeys(send: Send): ApiKeys {
  return {
    ...createPaged(send, 'GET /users/me/api-keys', shapes.apiKeyRecord, []),
    mint: (body, options) =>
      ask(send, 'POST /users/me/api-keys', shapes.mintedApiKey, [], { body, repeatable: false, options }),
    revoke: (keyId, options) => ask(send, 'DELETE /users/me/api-keys/{keyId}', undefined, [keyId], { options }),
  };
}
