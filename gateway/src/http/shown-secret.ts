/** What callers put where everybody can read it: a path or a request id is shown, a credential in it is not (decisions 2). */

import { maskApiKeys } from '../access/api-key.ts';

const maskedKey = /^fk_(?:[0-9A-Za-z]{16}\.)?\*\*\*$/;

/** A signed token: nobody should put one into a path, but some do. */
const token = /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g;

/** Of a key its id, of anything else that stands where a key should, nothing. */
export function shownPath(path: string, lastSegmentIsKey: boolean): string {
  const plain = withoutNeedlessEscapes(path);
  const masked = withoutCredentials(plain);
  if (!lastSegmentIsKey) return masked === plain ? path : masked;
  const at = masked.lastIndexOf('/') + 1;
  const key = masked.slice(at);
  return masked.slice(0, at) + (maskedKey.test(key) ? key : '***');
}

/** A caller's own request id is kept, unless a credential was pasted into it: it comes back in headers and error bodies. */
export function isKeepableRequestId(id: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(id) && withoutCredentials(id) === id;
}

function withoutCredentials(text: string): string {
  return maskApiKeys(text).replace(token, '***');
}

/** `%66k_` is `fk_` (RFC 3986, 6.2.2.2): a key is masked however it is spelled. */
function withoutNeedlessEscapes(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([2-7][0-9a-f])/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[0-9A-Za-z._~-]/.test(character) ? character : escaped;
  });
}
