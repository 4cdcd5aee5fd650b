/** A credential as callers present it: its kinds, how they are told apart, and how one is shown without revealing it. */

/** `raw` is not verified. */
export type Credential = { readonly kind: 'api-key' | 'token'; readonly raw: string };

/** The form of every API key. Whether a text of this form is a key, its checksum and the store decide. */
export const apiKeyForm = /^fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/;

/** The form of an API key's id. */
export const keyIdForm = /^[0-9A-Za-z]{16}$/;

export function isKeyId(text: string): boolean {
  return keyIdForm.test(text);
}

/** Whether a credential from `Authorization: Bearer` is meant as an API key. Whether it is one, its verifier decides. */
export function looksLikeApiKey(raw: string): boolean {
  return raw.startsWith('fk_');
}

/**
 * A path or log line with every API key in it masked: `fk_<keyId>.***`, and `fk_***` where the keyId cannot be told from a secret (contract/conventions#secrets).
 * Percent-encoded spellings are masked too.
 */
export function maskApiKeys(text: string): string {
  if (!/fk(?:_|%5f)/i.test(text)) return text;
  return text.replace(/fk(?:_|%5f)[0-9A-Za-z.%_-]*/gi, (found) => {
    const keyId = /^fk_([0-9A-Za-z]{16})\./.exec(found)?.[1];
    return keyId === undefined ? 'fk_***' : `fk_${keyId}.***`;
  });
}
