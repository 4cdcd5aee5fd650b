/**
 * Short texts that callers store for the gateway, each as one hexadecimal number. No one else can read, create or
 * change them.
 */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export type SealedHex = {
  /**
   * `context` says what the text belongs to. It is not part of the result, and the text opens only with the same context.
   * Deterministic: the same text and context give the same result.
   */
  readonly seal: (text: string, context: string) => string;
  /**
   * Ignores letter case. Undefined when the text was not sealed here, has another context, or its pepper is no longer
   * configured.
   */
  readonly open: (sealed: string, context: string) => string | undefined;
};

type Keys = { readonly mac: Uint8Array; readonly cipher: Uint8Array };

const tagBytes = 16;
/**
 * The first digit is not zero, so a client that parses and writes the value as a number does not change it. The digits
 * also identify the format.
 */
const marker = '0xf1';
const form = /^0xf1(?:[0-9a-f]{2})+$/i;

/**
 * Deterministic authenticated encryption with a synthetic initialization vector (Rogaway and Shrimpton, the
 * construction of RFC 5297). HMAC-SHA-256 over context and text, cut to 128 bits, is both the tag and the vector of
 * AES-256-CTR. It needs no nonce, so any number of processes can seal any number of texts under one key. HKDF-SHA-256
 * (RFC 5869) derives the keys from each pepper and `purpose`. The first pepper seals and every pepper opens, so peppers
 * rotate as for API keys. Throws on an empty list, which the configuration refuses.
 */
export function createSealedHex(peppers: readonly string[], purpose: string): SealedHex {
  const all = peppers.map((pepper) => keysOf(pepper, purpose));
  const [first] = all;
  if (first === undefined) throw new Error('at least one pepper is needed');

  return {
    seal(text, context) {
      const tag = tagOf(first, text, context);
      const cipher = createCipheriv('aes-256-ctr', first.cipher, tag);
      return `${marker}${Buffer.concat([tag, cipher.update(text, 'utf8'), cipher.final()]).toString('hex')}`;
    },

    open(sealed, context) {
      if (!form.test(sealed)) return undefined;
      const bytes = Buffer.from(sealed.slice(marker.length), 'hex');
      if (bytes.length < tagBytes) return undefined;
      const tag = bytes.subarray(0, tagBytes);
      for (const keys of all) {
        const cipher = createDecipheriv('aes-256-ctr', keys.cipher, tag);
        const text = Buffer.concat([cipher.update(bytes.subarray(tagBytes)), cipher.final()]).toString('utf8');
        if (timingSafeEqual(tagOf(keys, text, context), tag)) return text;
      }
      return undefined;
    },
  };
}

/** The context's length comes first, so no two pairs of context and text produce the same bytes. */
function tagOf({ mac }: Keys, text: string, context: string): Uint8Array {
  const hmac = createHmac('sha256', mac).update(`${Buffer.byteLength(context)} ${context}${text}`);
  return hmac.digest().subarray(0, tagBytes);
}

function keysOf(pepper: string, purpose: string): Keys {
  const derive = (part: string) =>
    new Uint8Array(hkdfSync('sha256', pepper, '', `flowgate/sealed-hex/${purpose}/${part}`, 32));
  return { mac: derive('mac'), cipher: derive('cipher') };
}
