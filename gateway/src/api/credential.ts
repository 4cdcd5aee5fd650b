/** A credential as callers present it: what kinds there are, how they are told apart, and how one is shown without giving it away. */

/** `raw` has been verified by nobody. */
export type Credential = { readonly kind: 'api-key' | 'token'; readonly raw: string };

/** What every API key looks like; which of them are keys, its checksum and the store say. */
export const apiKeyForm = /^fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/;

/** Whether a credential from `Authorization: Bearer` is meant as an API key; whether it is one, its verifier says. */
export function looksLikeApiKey(raw: string): boolean {
  return raw.startsWith('fk_');
}

/**
 * A path or a log line with every API key in it made harmless: `fk_<keyId>.***`, and `fk_***` where a keyId cannot be told from a secret
 * (contract/conventions#secrets). Percent-encoded spellings are masked too.
 */
export function maskApiKeys(text: string): string {
  if (!/fk(?:_|%5f)/i.test(text)) return text;
  return text.replace(/fk(?:_|%5f)[0-9A-Za-z.%_-]*/gi, (found) => {
    const keyId = /^fk_([0-9A-Za-z]{16})\./.exec(found)?.[1];
    return keyId === undefined ? 'fk_***' : `fk_${keyId}.***`;
  });
}
