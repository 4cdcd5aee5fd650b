/**
 * Encryption at rest for secrets that must be read again, under keys derived from the configured peppers, each bound to
 * a context.
 */

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { RandomBytes } from '@flowgate/base/random';

export type EncryptionAtRest = {
  /**
   * `context` names the owner of the secret (`flow-version acme/pay@1.0.0`). It is not stored; a secret cannot be
   * opened with another context.
   */
  readonly seal: (text: string, context: string) => string;
  /**
   * `undefined` when the text was changed, was sealed for another context, or under a pepper that is no longer
   * configured.
   */
  readonly open: (sealed: string, context: string) => string | undefined;
};

type Key = { readonly id: string; readonly bytes: Uint8Array };

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const form = /^s1\.([0-9a-f]{12})\.([A-Za-z0-9_-]+)$/;

/**
 * AES-256-GCM (NIST SP 800-38D) under HKDF-SHA-256 (RFC 5869) of each pepper: the first one seals, all can open, so peppers rotate as for API keys. Throws on an
 * empty list, which the configuration refuses.
 */
export function createEncryptionAtRest(peppers: readonly string[], randomBytes: RandomBytes): EncryptionAtRest {
  const keys = peppers.map(keyOf);
  const [first] = keys;
  if (first === undefined) throw new Error('at least one pepper is needed');
  const byId = new Map(keys.map((key) => [key.id, key]));

  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, first.bytes, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(context));
      const hidden = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `s1.${first.id}.${hidden.toString('base64url')}`;
    },

    open(sealed, context) {
      const [, id = '', encoded = ''] = form.exec(sealed) ?? [];
      const key = byId.get(id);
      const hidden = Buffer.from(encoded, 'base64url');
      if (key === undefined || hidden.length < nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv(algorithm, key.bytes, hidden.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(hidden.subarray(-tagBytes));
      try {
        const text = decipher.update(hidden.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Key and id follow from the pepper alone, so they survive reordering of the list. Neither reveals anything about the other, nor about the keys that hash API keys. */
function keyOf(pepper: string): Key {
  const derive = (purpose: string, bytes: number) =>
    // The label is part of the key: with another one, no stored secret could be opened.
    Buffer.from(hkdfSync('sha256', pepper, '', `flowgate/sealed-text/${purpose}`, bytes));
  return { id: derive('id', 6).toString('hex'), bytes: derive('key', 32) };
}
