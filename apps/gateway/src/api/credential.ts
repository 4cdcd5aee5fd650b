/** Credentials as callers send them: their kinds, how to distinguish them, and how to mask them. */

/** `raw` is not verified. */
export type Credential = { readonly kind: 'api-key' | 'token'; readonly raw: string };

/** The form of every API key. The checksum and the key store decide whether such a text is a valid key. */
export const apiKeyForm = /^fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/;

/** The form of an API key's id. */
export const keyIdForm = /^[0-9A-Za-z]{16}$/;

export function isKeyId(text: string): boolean {
  return keyIdForm.test(text);
}

/** Whether a credential from `Authorization: Bearer` has the prefix of API keys. The verifier decides whether it is one. */
export function looksLikeApiKey(raw: string): boolean {
  return raw.startsWith('fk_');
}

/**
 * Masks every API key in a path or log line as `fk_<keyId>.***`, or as `fk_***` if the key id and the secret cannot be separated (contract/conventions#secrets). Percent-encoded
 * spellings are masked too.
 */
export function maskApiKeys(text: string): string {
  if (!/fk(?:_|%5f)/i.test(text)) return text;
  return text.replace(/fk(?:_|%5f)[0-9A-Za-z.%_-]*/gi, (found) => {
    const keyId = /^fk_([0-9A-Za-z]{16})\./.exec(found)?.[1];
    return keyId === undefined ? 'fk_***' : `fk_${keyId}.***`;
  });
}
