/** The key that an app sees in place of the caller's own. */

import { createHash } from 'node:crypto';

/** Keeps these hashes apart from every other use of the same bytes. */
const domain = 'flowgate/flow/derived-idempotency-key/1';
const startDomain = 'flowgate/flow/derived-start-key/1';

/**
 * The same for every retry of one submission on every gateway, different for each session: an app that acts once for each acts once (contract/flow-apps#downstream). The caller's own key
 * cannot be read from it. Neither part can hold a NUL, so no two pairs are spelled alike.
 */
export function derivedKey(sessionId: string, idempotencyKey: string): string {
  return createHash('sha256').update(`${domain}\0${sessionId}\0${idempotencyKey}`).digest('base64url');
}

/** The same for a start; different for each app, so that no two apps can tell by it that they have the same user. */
export function derivedStartKey(userId: string, appId: string, idempotencyKey: string): string {
  return createHash('sha256')
    .update(`${startDomain}\0${JSON.stringify([userId, appId, idempotencyKey])}`)
    .digest('base64url');
}
