/** Which key a message of another gateway is about. */

import { member } from '@flowgate/json/json-object';
import { isKeyId } from '../../api/credential.ts';

/** Undefined for what no gateway sends: anybody with access to Redis can publish. */
export function reportedKeyId(payload: unknown): string | undefined {
  const keyId = member(payload, 'keyId');
  return typeof keyId === 'string' && isKeyId(keyId) ? keyId : undefined;
}
