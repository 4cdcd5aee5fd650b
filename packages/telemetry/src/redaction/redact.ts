/** Masks secrets in text that leaves the process as a log line: the last line of defence, not the first. */

import { createSecretSearch, maskSecrets, maskSecretsInJson, type UnmaskedNames } from './mask-secrets.ts';
import { maskTokens } from './mask-tokens.ts';

const apiKey = /fk_([0-9A-Za-z]{16})\.[0-9A-Za-z]+/g;
/** Of every scheme, escaped for JSON or not, up to the last @ before the path. */
const userinfo = /(:\\?\/\\?\/)[^\s/"?#\\]*@/g;

/**
 * Objects in JSON stay JSON. `secrets` are known at start (peppers, node URLs with provider keys); those shorter than 4 characters are not searched for. `unmaskedNames`
 * of members stay.
 */
export function createRedactor(
  secrets: readonly string[] = [],
  unmaskedNames: UnmaskedNames = [],
): (text: string) => string {
  const find = createSecretSearch(secrets);
  return (text) => {
    const clean = text.startsWith('{') ? maskSecretsInJson(text, find, unmaskedNames) : maskSecrets(text, find);
    return maskTokens(clean.replace(apiKey, 'fk_$1.***').replace(userinfo, '$1***@'), '[token]');
  };
}
