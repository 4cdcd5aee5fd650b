/** Parses another gateway's message about a key. */

import { member } from '@flowgate/json/json-object';
import { isKeyId } from '../../api/credential.ts';

/** Undefined for a payload that no gateway sends, because any client of Redis can publish. */
export function reportedKeyId(payload: unknown): string | undefined {
  const keyId = member(payload, 'keyId');
  return typeof keyId === 'string' && isKeyId(keyId) ? keyId : undefined;
}
