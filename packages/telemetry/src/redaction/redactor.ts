/** Masks secrets in log lines before they leave the process: the last line of defense, not the first. */

import { createSecretSearch, maskSecrets, maskSecretsInJson, type UnmaskedNames } from './mask-secrets.ts';
import { maskTokens } from './mask-tokens.ts';

const apiKey = /fk_([0-9A-Za-z]{16})\.[0-9A-Za-z]+/g;
/** The userinfo of a URL of any scheme, escaped for JSON or not, up to the last @ before the path. */
const userinfo = /(:\\?\/\\?\/)[^\s/"?#\\]*@/g;

/**
 * Objects in JSON stay JSON. `secrets` are known at start (peppers, node URLs with provider keys); those shorter than 4
 * characters are not searched for. Member names in `unmaskedNames` stay.
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
