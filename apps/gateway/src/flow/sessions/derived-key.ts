/** The idempotency key that an app receives instead of the caller's own. */

import { createHash } from 'node:crypto';

/** Domain separation: other hashes of the same bytes differ. */
const domain = 'flowgate/flow/derived-idempotency-key/1';
const startDomain = 'flowgate/flow/derived-start-key/1';

/**
 * The same for every retry of one submission on every gateway, and different for each session, so that an app can act once for each key (contract/flow-apps#downstream). It does not reveal
 * the caller's own key. Neither part can contain a NUL, so different pairs never produce the same text.
 */
export function derivedKey(sessionId: string, idempotencyKey: string): string {
  return createHash('sha256').update(`${domain}\0${sessionId}\0${idempotencyKey}`).digest('base64url');
}

/** The same for a start. It differs for each app, so that two apps cannot tell by it that they have the same user. */
export function derivedStartKey(userId: string, appId: string, idempotencyKey: string): string {
  return createHash('sha256')
    .update(`${startDomain}\0${JSON.stringify([userId, appId, idempotencyKey])}`)
    .digest('base64url');
}
